"""Loads with Python's requests, as a program would: one body, the same again, a generator, and a transaction."""

import io
import json
import os
import sys

import requests

base, user, password = sys.argv[1:4]
session = requests.Session()
session.auth = (user, password)


def say(step, response):
    answer = response.json()
    print(json.dumps([step, response.status_code, answer]), flush=True)
    return answer


def put(step, label, body, **headers):
    url = f"{base}/api/main/t/_stream_load"
    headers = {"label": label, "column_separator": ",", "Expect": "100-continue", **headers}
    return say(step, session.put(url, data=body, headers=headers))


put("load", "py-1", b"1,a\n2,b\n")
put("again", "py-1", b"1,a\n2,b\n")
put("generator", "py-2", (f"{n},{'x' * 100}\n".encode() for n in range(5000)))
put("file", "py-3", io.BytesIO(os.linesep.join('{"id": %d}' % n for n in range(10)).encode()), format="json")
wrong = requests.put(f"{base}/api/main/t/_stream_load", data=b"1,a\n", auth=(user, "wrong"))
say("wrong password", wrong)


def step(name, **headers):
    headers = {"label": "py-tx", "db": "main", "table": "t", **headers}
    return say(name, session.post(f"{base}/api/transaction/{name}", headers=headers))


step("begin", timeout="300")
for part in range(3):
    headers = {"label": "py-tx", "db": "main", "table": "t", "column_separator": ","}
    url = f"{base}/api/transaction/load"
    say("part", session.put(url, data=f"{part},tx\n".encode(), headers=headers))
step("prepare")
step("commit")
step("commit")
