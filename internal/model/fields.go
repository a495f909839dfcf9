package model

import "slices"

// Fields are the struct fields of SDKs that carry an increment, show an end or
// hold what a model said. Each SDK has a file.
var Fields = slices.Concat(
	anthropicFields,
	bedrockFields,
	googleFields,
	goopenaiFields,
	openaiFields,
	sseFields,
)

// Types are the named types whose every value has a role.
var Types = slices.Concat(
	anthropicTypes,
	bedrockTypes,
	googleTypes,
	goopenaiTypes,
	openaiTypes,
	stdTypes,
)
