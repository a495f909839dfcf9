// Package v1 has the names of client-go that the tests use.
package v1

import (
	"context"

	"k8s.io/apimachinery/pkg/watch"
)

type CoreV1Interface interface{ Pods(ns string) PodInterface }

type PodInterface interface {
	Watch(ctx context.Context) (watch.Interface, error)
	Get(ctx context.Context, name string) (string, error)
}
