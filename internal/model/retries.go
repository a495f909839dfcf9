package model

// Retries are the functions that call an operation again after an error.
var Retries = []Retry{
	// Up to version 4 the operation comes first, from version 5 on after the context.
	{Func: "github.com/cenkalti/backoff.Retry", Op: 0, Mod: modBackoffV4},
	{Func: "github.com/cenkalti/backoff.RetryNotify", Op: 0, Mod: modBackoffV4},
	{Func: "github.com/cenkalti/backoff.RetryNotifyWithTimer", Op: 0, Mod: modBackoffV4},
	{Func: "github.com/cenkalti/backoff.RetryWithData", Op: 0, Mod: modBackoffV4},
	{Func: "github.com/cenkalti/backoff.RetryNotifyWithData", Op: 0, Mod: modBackoffV4},
	{Func: "github.com/cenkalti/backoff.RetryNotifyWithTimerAndData", Op: 0, Mod: modBackoffV4},

	{Func: "github.com/cenkalti/backoff.Retry", Op: 1, Mod: modBackoffV5},

	{Func: "github.com/avast/retry-go.Do", Op: 0, Mod: modAvast},
	{Func: "github.com/avast/retry-go.DoWithData", Op: 0, Mod: modAvast},

	{Func: "(github.com/avast/retry-go.Retrier).Do", Op: 1, Mod: modAvastV5},
	{Func: "(github.com/avast/retry-go.RetrierWithData).Do", Op: 1, Mod: modAvastV5},

	{Func: "github.com/sethvargo/go-retry.Do", Op: 2, Mod: modSethvargo},
	{Func: "github.com/sethvargo/go-retry.DoValue", Op: 2, Mod: modSethvargo},
	{Func: "github.com/sethvargo/go-retry.Constant", Op: 2, Mod: modSethvargo},
	{Func: "github.com/sethvargo/go-retry.Exponential", Op: 2, Mod: modSethvargo},
	{Func: "github.com/sethvargo/go-retry.Fibonacci", Op: 2, Mod: modSethvargo},

	{Func: "(github.com/failsafe-go/failsafe-go.Executor).Run", Op: 1, Mod: modFailsafe},
	{Func: "(github.com/failsafe-go/failsafe-go.Executor).RunWithExecution", Op: 1, Mod: modFailsafe},
	{Func: "(github.com/failsafe-go/failsafe-go.Executor).RunAsync", Op: 1, Mod: modFailsafe},
	{Func: "(github.com/failsafe-go/failsafe-go.Executor).RunAsyncWithExecution", Op: 1, Mod: modFailsafe},
	{Func: "(github.com/failsafe-go/failsafe-go.Executor).Get", Op: 1, Mod: modFailsafe},
	{Func: "(github.com/failsafe-go/failsafe-go.Executor).GetWithExecution", Op: 1, Mod: modFailsafe},
	{Func: "(github.com/failsafe-go/failsafe-go.Executor).GetAsync", Op: 1, Mod: modFailsafe},
	{Func: "(github.com/failsafe-go/failsafe-go.Executor).GetAsyncWithExecution", Op: 1, Mod: modFailsafe},

	{Func: "github.com/googleapis/gax-go.Invoke", Op: 1, Mod: modGAX},

	{Func: "k8s.io/client-go/util/retry.OnError", Op: 2, Mod: modClientGo},
	{Func: "k8s.io/client-go/util/retry.RetryOnConflict", Op: 1, Mod: modClientGo},

	// Only these two stop at the first success by nature; the others are timers as well.
	{Func: "k8s.io/apimachinery/pkg/util/wait.ExponentialBackoff", Op: 1, Mod: modApimachinery},
	{Func: "k8s.io/apimachinery/pkg/util/wait.ExponentialBackoffWithContext", Op: 2, Mod: modApimachinery},
	{Func: "k8s.io/apimachinery/pkg/util/wait.Until", Op: 0, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.UntilWithContext", Op: 1, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.NonSlidingUntil", Op: 0, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.NonSlidingUntilWithContext", Op: 1, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.JitterUntil", Op: 0, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.JitterUntilWithContext", Op: 1, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.BackoffUntil", Op: 0, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.Poll", Op: 2, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.PollImmediate", Op: 2, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.PollInfinite", Op: 1, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.PollImmediateInfinite", Op: 1, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.PollUntil", Op: 1, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.PollImmediateUntil", Op: 1, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.PollWithContext", Op: 3, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.PollImmediateWithContext", Op: 3, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.PollInfiniteWithContext", Op: 2, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.PollImmediateInfiniteWithContext", Op: 2, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.PollUntilWithContext", Op: 2, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.PollImmediateUntilWithContext", Op: 2, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.PollUntilContextCancel", Op: 3, Mod: modApimachinery, Polls: true},
	{Func: "k8s.io/apimachinery/pkg/util/wait.PollUntilContextTimeout", Op: 4, Mod: modApimachinery, Polls: true},

	{Func: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/utils.Retry", Op: 3, Mod: modVolcengine},
}
