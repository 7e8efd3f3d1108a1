import os, re
from standardwebhooks import Webhook

secret = os.environ.get("WEBHOOK_SECRET", "")
if not re.match(r"whsec_[\w+/]{32}", secret):
  raise SystemExit("Set WEBHOOK_SECRET to the `secret` from PUT /api/v1/webhook.")
# `body`: the request's raw bytes.
webhook = Webhook(secret)
event = webhook.verify(body, headers)  # Or raises.
print(event["type"], event["data"])
