
# A link to the sources of Signet on this machine, which is not committed. Without one, those that were installed with the
# program signet are taken. For others: ln -sfn FOLDER signet
signet:
	@place="$${SIGNET:-$$(readlink -f "$$(command -v signet)")}"; place="$${place%/bin/signet}"; \
	for folder in "$$place" "$$place/share/signet"; do \
		if [ -n "$$place" ] && [ -f "$$folder/Package.swift" ]; then ln -sfn "$$folder" $@; exit; fi; \
	done; \
	echo 'The sources of Signet are not there: make a link to them: ln -sfn FOLDER signet' >&2; exit 1

# By the link's own path, each package would compile Signet anew.
BUILD_VARIABLES = SIGNET="$$(readlink -f signet)"
