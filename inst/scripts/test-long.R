# What takes longer than a coffee: only with --long.

long_layers <- list()
