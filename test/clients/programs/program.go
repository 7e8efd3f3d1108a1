// With the client of openapi-generator's `go`.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	client "example.com/momo/kiosk"
)

func main() {
	api := client.NewAPIClient(client.NewConfiguration())
	as := context.WithValue(context.Background(), client.ContextAccessToken, os.Getenv("KEY"))
	server, err := api.GetConfig().ServerURL(0, nil)
	must(err)
	amount := float32(36.5)
	request := client.NewInitializeRequest(client.InitializeRequestAmount{Float32: &amount})
	request.SetCustomerName("Kofi Mensah")
	request.SetMetadata(map[string]interface{}{"order_id": "A-1"})
	made, _, err := api.ChargesAPI.TransactionInitialize(as).InitializeRequest(*request).IdempotencyKey("go-1").Execute()
	must(err)
	reference := made.Data.Reference
	_, _, err = api.TestModeAPI.TestSimulate(as, reference).SimulateRequest(*client.NewSimulateRequest("paid")).Execute()
	must(err)
	verified, _, err := api.ChargesAPI.TransactionVerify(as, reference).Execute()
	must(err)
	paid := verified.Data
	webhook, _, err := api.YourWebhookAPI.WebhookSet(as).WebhookRequest(*client.NewWebhookRequest(os.Getenv("HOOK"))).Execute()
	must(err)
	var code any
	_, _, err = api.ChargesAPI.TransactionVerify(as, "MK-0000000000").Execute()
	var failure *client.GenericOpenAPIError
	if errors.As(err, &failure) {
		if refused, isError := failure.Model().(client.Error); isError {
			code = refused.Code
		}
	}
	payment := paid.Payment.Get()
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"server":    server,
		"reference": paid.Reference,
		"status":    paid.Status,
		"payer":     payment.GetPayerName(),
		"proof":     payment.Proof.Get(),
		"disputed":  paid.Disputed.Get(),
		"hook":      webhook.Data.Url,
		"error":     code,
	}))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
