// Package kubernetes has the names of client-go that the tests use.
package kubernetes

import (
	v1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
)

type Interface interface{ CoreV1() v1.CoreV1Interface }

type Clientset struct{}

func (c *Clientset) CoreV1() v1.CoreV1Interface { return nil }

func NewForConfig(c *rest.Config) (*Clientset, error) { return nil, nil }
