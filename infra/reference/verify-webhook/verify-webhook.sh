# Checks an event by hand if a server rejects it. Set ID, TIMESTAMP and
# SIGNATURE from its headers, and save its raw body as event.json.
if [ "${#WEBHOOK_SECRET}" -lt 38 ]; then
  echo 'Set WEBHOOK_SECRET to the `secret` from PUT /api/v1/webhook.'
  exit 1
fi
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -tx1 | tr -d ' \n')
expected="v1,$({ printf %s "$ID.$TIMESTAMP."; cat event.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)"
age=$(($(date +%s) - TIMESTAMP))
case " $SIGNATURE " in
  *" $expected "*) [ "${age#-}" -le 300 ] && echo genuine && exit ;;
esac
echo 'not signed with this secret, changed on its way, or older than five minutes'
exit 1
