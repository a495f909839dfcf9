package kube

import (
	"context"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

type watcher struct{ set kubernetes.Interface }

func newWatcher(cfg *rest.Config) (*watcher, error) {
	cfg.Timeout = 30 * time.Second // want `rest.Config.Timeout \(30s\) covers watches too`
	set, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return nil, err
	}
	return &watcher{set: set}, nil
}

func (w *watcher) run(ctx context.Context, on func(string)) error {
	events, err := w.set.CoreV1().Pods("").Watch(ctx)
	if err != nil {
		return err
	}
	for e := range events.ResultChan() {
		on(e.Type)
	}
	return nil
}

func informed() error {
	cfg := &rest.Config{Timeout: time.Minute} // want `rest.Config.Timeout \(1m\) covers watches too`
	set, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return err
	}
	informers.NewSharedInformerFactory(set, 0).Start(nil)
	return nil
}

// nopeGet sends single requests only.
func nopeGet(ctx context.Context) (string, error) {
	cfg := &rest.Config{Timeout: 30 * time.Second}
	set, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return "", err
	}
	return set.CoreV1().Pods("").Get(ctx, "a")
}

// nopeNone leaves watches alone.
func nopeNone() error {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	cfg.Timeout = 0
	set, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return err
	}
	informers.NewSharedInformerFactory(set, 0).Start(nil)
	return nil
}
