"""Tests against the sandbox, in Python. Start it first: npx email-marketing-client sandbox --set unknownFields=reject"""

import json, os, time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL = os.environ.get("EMAIL_MARKETING_BASE_URL", "http://127.0.0.1:4010")
KEYS = {"X-Team-ApiKey": "sandbox-key", "api_key": "sandbox-key"}

def call(method, path, body=None, timeout=10):
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(URL + path, data, KEYS, method=method), timeout=timeout) as response:
            return json.load(response)
    except HTTPError as error:
        return json.load(error)

identify = "/api/v1/contact/identify?team_id=sandbox-team"
find = "/api/v1/rest/contact?search=ada@example.com"
call("POST", "/_sandbox/reset")
before = call("GET", "/_sandbox/snapshot")

# A misspelt field is refused, and the request log says which one is meant.
assert call("POST", identify, {"email": "ada@example.com", "first_name": "Ada"})["status"] == "error"
assert "firstName" in call("GET", "/_sandbox/requests")[-1]["error"]["reason"]

# A contact shows in the listing after five seconds of the sandbox's clock.
lag = call("POST", "/_sandbox/faults", {"operation": "contacts.list", "kind": "lag", "ms": 5000})
call("POST", identify, {"email": "ada@example.com", "firstName": "Ada"})
assert call("GET", find) == []
call("POST", "/_sandbox/advance", {"ms": 5000})
assert len(call("GET", find)) == 1
assert call("GET", f"/_sandbox/faults/{lag['number']}")["hits"] == 2

# An event arrives twice.
call("POST", "/_sandbox/faults", {"operation": "events.record", "kind": "duplicate", "times": 1})
call("POST", "/api/v1/rest/events/custom", {"name": "paid", "identifier": "ada@example.com"})
assert call("GET", "/_sandbox/records/events")["total"] == 2

# urllib limits each read, not the whole response.
call("POST", "/_sandbox/faults", {"operation": "contacts.list", "kind": "trickle", "ms": 2})
started = time.monotonic()
call("GET", find, timeout=0.5)
assert time.monotonic() - started > 0.5
call("PUT", "/_sandbox/snapshot", before)
assert call("GET", "/_sandbox/records/events")["total"] == 0
