import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDirectory } from '../../testing/store-kit.ts'
import { userForRoot } from './run-as.ts'

async function passwd(...lines: string[]): Promise<string> {
  const file = join(await testDirectory(), 'passwd')
  await writeFile(file, `${lines.join('\n')}\n`)
  return file
}

const root = 'root:x:0:0:root:/root:/bin/sh'
const nobody = 'nobody:x:65534:65534:nobody:/:/usr/sbin/nologin'
const postgres = 'postgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash'

test('root runs PostgreSQL as the user made for it, else as nobody', async () => {
  expect(await userForRoot(await passwd(root, nobody, postgres))).toEqual({ uid: 101, gid: 104 })
  expect(await userForRoot(await passwd(root, nobody))).toEqual({ uid: 65534, gid: 65534 })
})

test('on a system without either user, the message says what to do', async () => {
  const file = await passwd(root)
  await expect(userForRoot(file)).rejects.toThrow(
    `PostgreSQL does not run as root, and ${file} has neither a user "postgres" nor "nobody": ` +
      'start Boathouse as another user or set DATABASE_URL.',
  )
})
