
# The header alone is used.
$(SIGNET):
	git clone --quiet --depth 1 --branch {{version}} {{url}} $@
