package model

import "slices"

// Fields are the struct fields of SDKs that carry an increment, show an end or
// hold what a model said. Each SDK has a file.
var Fields = slices.Concat(
	anthropicFields,
	bedrockFields,
	cohereFields,
	einoFields,
	fantasyFields,
	googleFields,
	goopenaiFields,
	langchaingoFields,
	ollamaFields,
	openaiFields,
	openailikeFields,
	proxyFields,
	sseFields,
)

// Types are the named types whose every value has a role.
var Types = slices.Concat(
	anthropicTypes,
	bedrockTypes,
	cohereTypes,
	googleTypes,
	goopenaiTypes,
	openaiTypes,
	openailikeTypes,
	proxyTypes,
	stdTypes,
)
