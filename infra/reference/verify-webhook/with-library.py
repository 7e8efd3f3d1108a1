import os
from standardwebhooks import Webhook

# `body`: the request's raw bytes.
webhook = Webhook(os.environ["WEBHOOK_SECRET"])
event = webhook.verify(body, headers)  # Or raises.
print(event["type"], event["data"])
