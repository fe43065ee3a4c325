# The comments of scree's headers as doxygen wants them: one that begins a line describes what follows, one behind a declaration
# what stands before it. A # in a comment would be a link.
FNR == 1 { print "/** @file */"; inside = 0 }
!inside && /^ *\/\* / { sub(/\/\* +/, "/** ") }
!inside && /[;,{) a-z0-9] *\/\* / { sub(/\/\* /, "/**< ") }
{
    at = inside ? 1 : index($0, "/**")
    if (at) {
        text = substr($0, at)
        inside = text !~ /\*\/ *$/
        gsub(/#/, "\\#", text)
        $0 = substr($0, 1, at - 1) text
    }
    print
}
