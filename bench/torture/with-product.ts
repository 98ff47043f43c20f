import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TorturedProduct } from './product.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

export interface Done<T> {
  readonly result: T
  /** Processes that the product left behind when it was asked to end. */
  readonly leftBehind: readonly string[]
}

async function useProduct<T>(
  directory: string,
  work: (product: TorturedProduct) => Promise<T>,
): Promise<Done<T>> {
  // Started by root, the product runs its parts as other users, who must be able to pass through.
  await chmod(directory, 0o711)
  const product = await TorturedProduct.start(join(directory, 'data'))
  const endEarly = (): void => void product.end().finally(() => process.exit(1))
  for (const signal of SIGNALS) process.once(signal, endEarly)
  let leftBehind: readonly string[] = []
  let result: T
  try {
    result = await work(product)
  } finally {
    for (const signal of SIGNALS) process.off(signal, endEarly)
    leftBehind = await product.end()
  }
  return { result, leftBehind }
}

/** A product of its own in a directory of its own; both are gone afterwards, whatever happens. */
export async function withProduct<T>(work: (product: TorturedProduct) => Promise<T>): Promise<Done<T>> {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-torture-'))
  try {
    return await useProduct(directory, work)
  } finally {
    if (process.env['TORTURE_KEEP']) console.log(`Everything is kept in ${directory}`)
    else await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}
