
test:
	swift test $(BUILD_FLAGS)

.PHONY: test
