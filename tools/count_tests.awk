# Counts test cases in CTest's log. A program reports "NAME: 12 passed, 0 failed"; one that says nothing
# is one case by its exit status; one that ends badly without reporting a failure (a crash, a timeout)
# adds one failed case. The last line is "N passed, N failed"; the exit status is that of the suite.
# Wants -v status=EXIT-STATUS-OF-CTEST.

function finish_program() {
    if (name == "")
        return
    if (verdict == "skipped")
        skipped++
    else if (verdict == "passed") {
        passed += reported ? good : 1
        failed += bad
    } else {
        passed += good
        failed += bad ? bad : 1
        broken = broken " " name
    }
    name = ""
}

# CTest's log says "Test Passed." of a program that is not there
/^Unable to find executable: / { absent = 1 }

/^[0-9]+\/[0-9]+ Test: / {
    finish_program()
    name = $3
    verdict = "none"
    is_absent = absent
    absent = 0
    reported = good = bad = 0
}

/^[^ ]+: [0-9]+ passed, [0-9]+ failed$/ {
    reported = 1
    good = $2
    bad = $4
}

/^Test Passed\.$/ { verdict = is_absent ? "failed" : "passed" }
/^Test (Failed|Timeout)/ { verdict = "failed" }
/^Test (Skipped|Not Run)/ { verdict = "skipped" }

END {
    finish_program()
    if (status != 0 && failed == 0)
        failed = 1
    if (passed + failed == 0)
        failed = 1
    if (broken != "")
        print "failed:" broken
    if (skipped)
        print skipped " programs skipped"
    print passed + 0 " passed, " failed + 0 " failed"
    exit failed > 0 || status != 0
}
