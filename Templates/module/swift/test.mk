
test:
	swift test $(SWIFT_BUILD_FLAGS)

.PHONY: test
