package model

// LogPackages are those of loggers, by path without a major version: what their
// functions get is shown to a person and goes nowhere else.
var LogPackages = map[string]bool{
	"log":                           true,
	"log/slog":                      true,
	"charm.land/log":                true,
	"github.com/charmbracelet/log":  true,
	"github.com/go-kit/log":         true,
	"github.com/go-logr/logr":       true,
	"github.com/golang/glog":        true,
	"github.com/hashicorp/go-hclog": true,
	"github.com/rs/zerolog":         true,
	"github.com/rs/zerolog/log":     true,
	"github.com/sirupsen/logrus":    true,
	"go.uber.org/zap":               true,
	"k8s.io/klog":                   true,
}
