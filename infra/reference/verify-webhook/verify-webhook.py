# Run it: WEBHOOK_SECRET=whsec_… PORT=4000 python3 receiver.py
import base64, hmac, json, os, re, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
# Anyone can sign with an empty secret.
if not re.match(r"whsec_[\w+/]{32}", SECRET):
  raise SystemExit("Set WEBHOOK_SECRET to the `secret` from PUT /api/v1/webhook.")


def verified_event(headers, body):
  """Returns the event, or None if Momo Kiosk did not sign it. `body` is the request's raw bytes."""
  timestamp = headers.get("webhook-timestamp", "")
  if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
    return None
  key = base64.b64decode(SECRET.removeprefix("whsec_"))
  signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
  signature = "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
  given = headers.get("webhook-signature", "").split(" ")
  if any(hmac.compare_digest(signature.encode(), one.encode()) for one in given):
    return json.loads(body)


class Receiver(BaseHTTPRequestHandler):
  def do_POST(self):
    body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
    event = verified_event(self.headers, body)
    self.send_response(204 if event else 401)
    self.end_headers()
    # Store self.headers["webhook-id"]: an event can arrive twice.
    if event:
      print(event["type"], event["data"])


ThreadingHTTPServer.request_queue_size = 128
ThreadingHTTPServer(("", int(os.environ["PORT"])), Receiver).serve_forever()
