// Catch as it comes with the R package testthat.
#define CATCH_CONFIG_MAIN
#include <testthat/vendor/catch.h>
