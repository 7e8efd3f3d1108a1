import os, re
from standardwebhooks import Webhook

secret = os.environ.get("WEBHOOK_SECRET", "")
# Anyone can sign with an empty secret.
if not re.match(r"whsec_[\w+/]{32}", secret):
  raise SystemExit("WEBHOOK_SECRET is not a webhook secret. Set it to the `secret` from PUT /api/v1/webhook.")
# `body`: the request's raw bytes.
webhook = Webhook(secret)
event = webhook.verify(body, headers)  # Or raises.
print(event["type"], event["data"])
