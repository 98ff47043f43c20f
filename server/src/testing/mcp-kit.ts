import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import type { TestApp } from './start-app.ts'

/** What a tool answers. */
interface Answered {
  readonly isError: boolean
  readonly text: string
  readonly data: {
    readonly columns: readonly { readonly name: string; readonly type: string }[]
    readonly rows: readonly (readonly (string | null)[])[]
    readonly [more: string]: unknown
  }
}

export interface TestAgent {
  readonly client: Client
  use(tool: string, input?: Record<string, unknown>): Promise<Answered>
}

/** The client of the protocol's own makers, over a real connection. */
export async function agentOf(app: TestApp, secret: string): Promise<TestAgent> {
  const client = new Client({ name: 'test-agent', version: '1.0.0' })
  const headers = { authorization: `Bearer ${secret}`, 'user-agent': 'test-agent/1.0' }
  const transport = new StreamableHTTPClientTransport(new URL(`${await app.url()}/mcp`), {
    requestInit: { headers },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    client,
    async use(name, input = {}) {
      const result = (await client.callTool({ name, arguments: input })) as CallToolResult
      const [first] = result.content
      const text = first?.type === 'text' ? first.text : ''
      return {
        isError: result.isError ?? false,
        text,
        data: (result.structuredContent ?? {}) as Answered['data'],
      }
    },
  }
}

/** A message as it is sent, for what no client of the protocol would send. */
export async function sentToMcp(
  app: TestApp,
  {
    headers = {},
    body,
    method = 'POST',
  }: { headers?: Record<string, string>; body?: string; method?: string },
) {
  const accept = 'application/json, text/event-stream'
  const response = await fetch(`${await app.url()}/mcp`, {
    method,
    headers: { accept, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text }
}

export const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
