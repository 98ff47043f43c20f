import { LIMITS } from '@boathouse/contract'
import { z } from 'zod'
import { AppError } from '../../kernel/app-error.ts'
import type { Assistant, AssistantMessage } from './assistant.ts'

export interface ChatCompletionsOptions {
  /** With its path, as in http://localhost:11434/v1. */
  readonly url: string
  readonly model: string
  /** Sent as a bearer token; undefined: none is. */
  readonly key: string | undefined
}

const TIMEOUT_MS = 90_000
const MOST_BYTES = 512 * 1024
const MOST_TOKENS = 2_000

const Answer = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.nullable(z.string()) }) })).min(1),
})

const failed = (what: string, cause?: unknown) =>
  new AppError('Unavailable', `The assistant ${what} An administrator can look at its settings.`, { cause })

/** At most so many bytes, whatever is sent. */
async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > MOST_BYTES) throw failed('sent more than it should.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function answerIn(text: string): string {
  const read = Answer.safeParse(jsonOf(text))
  const answer = read.data?.choices[0]?.message.content?.trim()
  if (!answer) throw failed('answered nothing that can be shown.')
  return answer.slice(0, LIMITS.assistantAnswerLength)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw failed('did not answer in JSON.', error)
  }
}

/** Any endpoint that speaks the chat completions of OpenAI's API, as most servers of models do. */
export function createChatCompletions({ url, model, key }: ChatCompletionsOptions): Assistant {
  const address = `${url.replace(/\/+$/, '')}/chat/completions`

  async function request(messages: readonly AssistantMessage[], signal: AbortSignal): Promise<string> {
    const response = await fetch(address, {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, messages, temperature: 0, max_tokens: MOST_TOKENS, stream: false }),
      signal,
    })
    if (response.ok) return textOf(response)
    await response.body?.cancel()
    throw failed(`answered with status ${response.status}.`)
  }

  return {
    host: new URL(url).host,
    model,
    async ask(messages, signal) {
      const late = AbortSignal.timeout(TIMEOUT_MS)
      try {
        return answerIn(await request(messages, AbortSignal.any([signal, late])))
      } catch (error) {
        if (error instanceof AppError) throw error
        if (signal.aborted) throw new AppError('Cancelled', 'Nobody waits for this answer any more.')
        throw failed(late.aborted ? 'did not answer in time.' : 'cannot be reached.', error)
      }
    },
  }
}
