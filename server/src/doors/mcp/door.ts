import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { AppError } from '../../kernel/app-error.ts'
import type { Log } from '../../kernel/log.ts'
import { type Agent, type AgentParts } from './agent.ts'
import { type Tool, TOOLS } from './tools.ts'

export interface McpDoorParts extends AgentParts {
  readonly version: string
  readonly log: Log
}

/** One message of an agent, as it came. */
export interface AgentMessage {
  readonly url: string
  readonly headers: Headers
  /** What the body says. */
  readonly message: unknown
}

/** So many requests of one key are answered at the same time. */
const MOST_OF_KEY = 32

const INSTRUCTIONS = `Boathouse is a data cloud. Find tables with search or list_catalogs, look at them with describe_table and sample_table, then ask with run_query. Names have up to three parts: catalog.database.table. Everything here only reads.`

/** Made once: a request has none to validate, and making one takes longer than answering. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

const INTERNAL = 'Something went wrong on our side. The operator can find it in the log.'

/**
 * Agents, over the Model Context Protocol. Nothing is kept between two requests: each brings its key, and is answered by a
 * server that ends with it.
 */
export function createMcpDoor(parts: McpDoorParts) {
  const { version, log } = parts
  const underway = new Map<string, number>()

  async function call(tool: Tool, agent: Agent, input: unknown): Promise<CallToolResult> {
    try {
      const structuredContent = await tool.run(parts, agent, input)
      return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
    } catch (error) {
      const isForeseen = error instanceof AppError
      if (!isForeseen) log.error({ err: error, tool: tool.name }, 'a tool failed for a reason not foreseen')
      return { isError: true, content: [{ type: 'text', text: isForeseen ? error.message : INTERNAL }] }
    }
  }

  function serverFor(agent: Agent): McpServer {
    const server = new McpServer(
      { name: 'boathouse', version },
      { instructions: INSTRUCTIONS, jsonSchemaValidator },
    )
    for (const tool of TOOLS) {
      const { name, title, description, input: inputSchema } = tool
      const annotations = { title, readOnlyHint: true, openWorldHint: false }
      server.registerTool(name, { title, description, inputSchema, annotations }, (input: unknown) =>
        call(tool, agent, input),
      )
    }
    return server
  }

  async function answered(agent: Agent, { url, headers, message }: AgentMessage): Promise<Response> {
    const server = serverFor(agent)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    try {
      await server.connect(transport)
      const request = new Request(url, { method: 'POST', headers })
      return await transport.handleRequest(request, { parsedBody: message })
    } finally {
      await server.close()
    }
  }

  return {
    /** Never more than a few of one key at once: the others are refused before anything of them is done. */
    async answer(agent: Agent, message: AgentMessage): Promise<Response> {
      const { keyId = '' } = agent.signedIn.known.key ?? {}
      const count = underway.get(keyId) ?? 0
      if (count >= MOST_OF_KEY)
        throw new AppError(
          'TooManyAttempts',
          `${count} requests of this API key are being answered, the maximum. Wait for some to end.`,
        )
      underway.set(keyId, count + 1)
      try {
        return await answered(agent, message)
      } finally {
        const left = (underway.get(keyId) ?? 1) - 1
        if (left > 0) underway.set(keyId, left)
        else underway.delete(keyId)
      }
    },
  }
}

export type McpDoor = ReturnType<typeof createMcpDoor>
