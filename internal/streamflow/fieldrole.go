package streamflow

import (
	"go/types"

	"github.com/streamlint/streamlint/internal/model"
)

// RoleOfField says what a field of the struct type owner means, as FieldRole does
// for an instruction that reads it.
func (f *Flow) RoleOfField(owner types.Type, field *types.Var) model.Role {
	return f.fieldRole(owner, field)
}
