"""Tests against the sandbox, in Python. Start it first: npx email-marketing-client sandbox"""

import json, os
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

# A name in use is refused, and the request log says why.
assert "id" in call("POST", "/api/v1/rest/tag", {"name": "vip"})
assert call("POST", "/api/v1/rest/tag", {"name": "vip"})["status"] == "error"
assert "already exists" in call("GET", "/_sandbox/requests")["requests"][-1]["error"]["reason"]

call("POST", identify, {"email": "ada@example.com", "firstName": "Ada"})
assert len(call("GET", find)) == 1

# The service records an event, and its response is lost.
call("POST", "/_sandbox/faults", {"operation": "events.record", "kind": "fail", "acted": True, "times": 1})
event = call("POST", "/api/v1/rest/events/custom", {"name": "paid", "identifier": "ada@example.com"})
assert event["status"] == "error"
assert call("GET", "/_sandbox/records/events")["total"] == 1
call("PUT", "/_sandbox/snapshot", before)
assert call("GET", "/_sandbox/records/events")["total"] == 0
