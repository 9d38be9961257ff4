# What hosts are told of the binary: this machine's platform, and the libraries that it needs.
module: $(LIBRARY) module.json
	rm -rf module
	mkdir -p module/lib
	cp $(LIBRARY) module/lib/{{library}}
	if [ -d resources ]; then cp -R resources module/; fi
	needed=$$(readelf -d $(LIBRARY) | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/"\1"/p' | sort -u | paste -sd, -); \
	sed -e "s/\"linux-x86_64\"/\"linux-$$(uname -m)\"/" -e "s/\"needed\": \[\]/\"needed\": [$$needed]/" \
		module.json > module/module.json

.PHONY: module
