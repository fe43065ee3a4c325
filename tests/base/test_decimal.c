/*  Numbers as text: against strtod and printf, which are exact in the C library these tests run with. */
#include "base/decimal.h"
#include "base/random.h"
#include "test.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>

static bool same_number(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static void check_read(const char *text)
{
    double value = -77, wanted = strtod(text, NULL);
    if (!scree_text_to_real(text, strlen(text), &value) || !same_number(value, wanted))
        FAIL("\"%.60s\" is read as %.17g, not %.17g", text, value, wanted);
}

static double any_double(scree_random *random)
{
    uint64_t bits = scree_random_u64(random);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value - value == 0 ? value : 1.5;
}

TEST(numbers_are_read_to_the_nearest_double)
{
    static const char *const texts[] = {
        "0",
        "-0",
        "0.0",
        ".5",
        "5.",
        "+5",
        "1e0",
        "1E5",
        "1e+5",
        "1e-5",
        "00012",
        "0.1",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740992.5",
        "9007199254740993.0000000000000000000000000001",
        "9007199254740991e22",
        "123456789012345678901234567890",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e308",
        "1e309",
        "1e400",
        "-1e400",
        "1e99999999999",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-323",
        "1e-324",
        "1e-400",
        "1e-99999999999",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "0e999999999",
        "2.2250738585072012e-308",
        "inf",
        "-INF",
        "Infinity",
        "nan",
        "0x1.8p3",
        "0x.8",
        "-0X1P-1074",
        "0x1p-1075",
        "0x1.8p-1075",
        "0x1.fffffffffffff8p0",
        "0x1.fffffffffffff7fffffffffffffffp0",
        "0x0p5",
        "0x1p1024",
        "0xabc",
        "0xABC.DEF",
        "1234567890123456789e-400",
        "0x123456789abcdef01",
        "0x1p99999",
        "0x1p-99999",
        "0x10000000000000081",
        "0x10000000000000080",
    };
    for (size_t i = 0; i < SCREE_COUNT_OF(texts); i++)
        check_read(texts[i]);
}

TEST(what_is_no_number_is_refused)
{
    static const char *const texts[] = {
        "",         "-",  "+",      ".",     "e5",   "1e",    "1e+", "1.2.3", "1,5",
        " 1",       "1 ", "--1",    "abc",   "1f",   "0x",    "0xg", "in",    "infi",
        "infinite", "na", "nan(1)", "1e5.0", "0x1p", "0x1p+", "x1",  "1_000", "0x.",
    };
    for (size_t i = 0; i < SCREE_COUNT_OF(texts); i++) {
        double value = 3;
        if (scree_text_to_real(texts[i], strlen(texts[i]), &value))
            FAIL("\"%s\" is read as %.17g", texts[i], value);
        CHECK(value == 3);
    }
    double value = 3;
    CHECK(scree_text_to_real("12345", 3, &value) && value == 123); /* by length */
    CHECK(!scree_text_to_real("1\0002", 3, &value));
}

TEST(halves_go_to_the_even_neighbour_however_long_they_are)
{
    scree_random random = scree_random_stream(3, 0);
    for (int i = 0; i < 300; i++) {
        /* exactly half way between two doubles, in as many digits as that has, and a hair beside it */
        double a = fabs(any_double(&random)), b = nextafter(a, INFINITY);
        char text[1600];
        if (!(a < 1e300 && a > 1e-290) || i < 30)
            a = 5e-324 * (i + 1), b = a + 5e-324;
        snprintf(text, sizeof text, "%.1100Lf", ((long double)a + (long double)b) / 2);
        check_read(text);
        strcat(text, "0000000000001");
        check_read(text);
        text[0] = text[0] == '0' ? '0' : text[0];
    }
    char ones[2000];
    for (size_t n = 700; n < 900; n++) {
        memset(ones, '1', n);
        ones[1] = '.';
        ones[n] = 0;
        check_read(ones);
        memcpy(ones + n, "e-300", 6);
        check_read(ones);
    }
}

TEST(random_texts_are_read_as_by_strtod)
{
    scree_random random = scree_random_stream(4, 0);
    for (int i = 0; i < 200000; i++) {
        char text[64];
        double value = any_double(&random);
        int digits = (int)scree_random_below(&random, 25);
        if (i & 1)
            value = scree_random_range(&random, -1000, 1000);
        snprintf(text, sizeof text, "%.*e", digits, value);
        check_read(text);
        snprintf(text, sizeof text, "%a", value);
        check_read(text);
    }
}

/*  Without sign, point, exponent, and zeros at either end. */
static void digits_of(const char *text, char digits[64])
{
    size_t n = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (n > 0 || *text != '0'))
            digits[n++] = *text;
    while (n > 0 && digits[n - 1] == '0')
        n--;
    digits[n] = 0;
}

static void check_written(double value)
{
    char text[SCREE_REAL_TEXT], wanted[64];
    double back = 0;
    size_t length = scree_real_to_text(value, text);
    CHECK_EQUAL(length, strlen(text));
    CHECK(length < SCREE_REAL_TEXT);
    if (!scree_text_to_real(text, length, &back) || !same_number(back, value))
        FAIL("%.17g is written as %s", value, text);
    snprintf(wanted, sizeof wanted, "%.15g", value);
    if (strtod(wanted, NULL) != value)
        snprintf(wanted, sizeof wanted, "%.17g", value);
    char a[64], b[64];
    digits_of(text, a);
    digits_of(wanted, b);
    CHECK_TEXT(a, b);
}

TEST(numbers_are_written_so_that_they_come_back)
{
    scree_random random = scree_random_stream(5, 0);
    static const double numbers[] = {0.1,
                                     1e-5,
                                     1e-4,
                                     123456,
                                     1e15,
                                     1e16,
                                     1e17,
                                     1e18,
                                     1e22,
                                     5e-324,
                                     1.0 / 3,
                                     1.7976931348623157e308,
                                     2.2250738585072014e-308,
                                     9007199254740993.0,
                                     0.5,
                                     999999999999999.9,
                                     0.99999999999999989,
                                     9.9999999999999991e22,
                                     100,
                                     -1.5,
                                     12345678901234567.0,
                                     1e-300,
                                     0.3,
                                     4294967296.0,
                                     4294967296.5};
    for (size_t i = 0; i < SCREE_COUNT_OF(numbers); i++)
        check_written(numbers[i]);
    for (int i = 0; i < 100000; i++) {
        check_written(any_double(&random));
        check_written(scree_random_range(&random, -1, 1));
        check_written((double)scree_random_below(&random, 1000000) / 1000);
    }
}

/*  Where a word of digits and a power of ten of two words just decide, or just do not: numbers half way between two of
    17 digits, powers of ten with their neighbours, and all exponents up to where the table of powers ends. */
TEST(where_short_numbers_end)
{
    scree_random random = scree_random_stream(6, 0);
    char text[64];

    for (int i = 0; i < 20000; i++) {
        /* 18 digits, the last of them 5 */
        uint64_t odd = 1049 + 2 * scree_random_below(&random, 4700);
        check_written((double)odd / 1048576);
        check_written((double)(odd * 2 + 1) / 2097152);
    }
    for (int power = -90; power <= 90; power++) {
        snprintf(text, sizeof text, "1e%d", power);
        double value = strtod(text, NULL);
        check_written(value);
        check_written(nextafter(value, 0));
        check_written(nextafter(value, INFINITY));
        for (int i = 0; i < 500; i++) {
            uint64_t digits = scree_random_u64(&random) >> scree_random_below(&random, 40);
            snprintf(text, sizeof text, "%" PRIu64 "e%d", digits, power);
            check_read(text);
            check_written(strtod(text, NULL));
        }
    }
    check_read("18446744073709551615");
    check_read("18446744073709551616");
    check_read("1844674407370955161.0e-30");
    check_read("0.00000000000000000000000000000000000000000000000000000000000012345678901234567");
}

TEST(notation_is_what_people_write)
{
    static const struct
    {
        double value;
        const char *text;
    } known[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-2.5, "-2.5"},
        {0.1, "0.1"},
        {1e-3, "0.001"},
        {1e-5, "0.00001"},
        {1e-6, "1e-6"},
        {1.5e-7, "1.5e-7"},
        {1e16, "10000000000000000"},
        {1e17, "1e17"},
        {2.5e300, "2.5e300"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {(double)NAN, "nan"},
        {1.0 / 3, "0.33333333333333331"},
        {100, "100"},
        {1e21, "1e21"},
        {5e-324, "4.94065645841247e-324"},
    };
    for (size_t i = 0; i < SCREE_COUNT_OF(known); i++) {
        char text[SCREE_REAL_TEXT];
        scree_real_to_text(known[i].value, text);
        CHECK_TEXT(text, known[i].text);
    }
}

TEST(whole_numbers)
{
    char text[SCREE_REAL_TEXT];
    uint64_t value = 5;
    CHECK_EQUAL(scree_whole_to_text(0, text), 1);
    CHECK_TEXT(text, "0");
    CHECK_EQUAL(scree_whole_to_text(UINT64_MAX, text), 20);
    CHECK_TEXT(text, "18446744073709551615");
    CHECK(scree_text_to_whole(text, 20, UINT64_MAX, &value) && value == UINT64_MAX);
    CHECK(!scree_text_to_whole("18446744073709551616", 20, UINT64_MAX, &value));
    CHECK(!scree_text_to_whole("99999999999999999999999", 23, UINT64_MAX, &value));
    CHECK(!scree_text_to_whole("", 0, UINT64_MAX, &value));
    CHECK(!scree_text_to_whole("-1", 2, UINT64_MAX, &value));
    CHECK(!scree_text_to_whole("1.", 2, UINT64_MAX, &value));
    CHECK(scree_text_to_whole("0007", 4, 7, &value) && value == 7);
    CHECK(!scree_text_to_whole("8", 1, 7, &value) && value == 7);
    CHECK(scree_text_to_whole("255", 3, 255, &value) && value == 255);
    CHECK(!scree_text_to_whole("256", 3, 255, &value));
}

/*  With a comma for a point where the machine has such a locale; without, the test says nothing. */
TEST(the_locale_does_not_matter)
{
    double value = 0;
    char text[SCREE_REAL_TEXT];
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        (void)setlocale(LC_NUMERIC, "fr_FR.UTF-8");
    CHECK(scree_text_to_real("1.5", 3, &value) && value == 1.5);
    CHECK(!scree_text_to_real("1,5", 3, &value));
    scree_real_to_text(1.5, text);
    CHECK_TEXT(text, "1.5");
    setlocale(LC_NUMERIC, "C");
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(numbers_are_read_to_the_nearest_double),
        CASE(what_is_no_number_is_refused),
        CASE(halves_go_to_the_even_neighbour_however_long_they_are),
        CASE(random_texts_are_read_as_by_strtod),
        CASE(numbers_are_written_so_that_they_come_back),
        CASE(where_short_numbers_end),
        CASE(notation_is_what_people_write),
        CASE(whole_numbers),
        CASE(the_locale_does_not_matter),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
