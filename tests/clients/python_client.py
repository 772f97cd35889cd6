#!/usr/bin/env python3
"""Drives an MCP server with the official Python client and prints what it saw as one JSON document.

    python_client.py [--mode auto|legacy|2026-07-28] [--token TOKEN] [--call TOOL] [--arguments JSON] [--listen] TARGET...

TARGET is a URL that starts with http, or a command with its arguments (stdio). Exit code 0 when everything went well.
"""

import argparse
import asyncio
import json
import os
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


def target_of(arguments):
    """A URL, a URL with a token, or a command."""
    first = arguments.target[0]
    if not first.startswith("http"):
        return StdioServerParameters(command=first, args=arguments.target[1:], env=dict(os.environ))
    if arguments.token is None:
        return first
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {arguments.token}"}, timeout=60)
    return streamable_http_client(first, http_client=http)


async def every_page(fetch, field):
    """All items of a paged listing."""
    items, cursor = [], None
    while True:
        page = await fetch(cursor=cursor) if cursor else await fetch()
        items += getattr(page, field)
        cursor = page.next_cursor
        if cursor is None:
            return items


async def look(arguments):
    """Connects, lists everything, calls one tool, reads the first resource."""
    seen = {}
    async with Client(target_of(arguments), mode=arguments.mode) as client:
        seen["protocol_version"] = client.protocol_version
        seen["server"] = client.server_info.name if client.server_info else None
        seen["tools"] = [tool.name for tool in await every_page(client.list_tools, "tools")]
        resources = await every_page(client.list_resources, "resources")
        seen["resources"] = [str(resource.uri) for resource in resources]
        seen["templates"] = [template.uri_template for template in await every_page(client.list_resource_templates, "resource_templates")]
        seen["prompts"] = [prompt.name for prompt in await every_page(client.list_prompts, "prompts")]
        if arguments.call:
            answer = await client.call_tool(arguments.call, json.loads(arguments.arguments))
            seen["call"] = answer.model_dump(mode="json", by_alias=True, exclude_none=True)
        if resources:
            answer = await client.read_resource(str(resources[0].uri))
            seen["read"] = answer.model_dump(mode="json", by_alias=True, exclude_none=True)
        if arguments.listen:
            async with client.listen(tools_list_changed=True) as subscription:
                seen["listening"] = subscription is not None
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", default="auto", help="auto, legacy, or a revision")
    parser.add_argument("--token", help="bearer token for a URL")
    parser.add_argument("--call", help="a tool to call")
    parser.add_argument("--arguments", default="{}", help="its arguments as JSON")
    parser.add_argument("--listen", action="store_true", help="open subscriptions/listen as well (2026-07-28)")
    parser.add_argument("target", nargs=argparse.REMAINDER, help="a URL or a command")
    arguments = parser.parse_args()
    if not arguments.target:
        parser.error("a URL or a command is missing")
    json.dump(asyncio.run(look(arguments)), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
