import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConsoleFiles } from './console-files.ts'

async function pageWith(facts: Parameters<typeof readConsoleFiles>[1]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse console-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await writeFile(join(directory, 'index.html'), '<html><head></head><body></body></html>')
  const files = await readConsoleFiles(directory, facts)
  return files.get('/index.html')?.plain.toString() ?? ''
}

test('the page names the support contact that the operator set [LIMIT-07]', async () => {
  expect(await pageWith({ supportContact: 'help@example.com' })).toContain(
    '<meta name="boathouse-support" content="help@example.com" /></head>',
  )
})

test('a contact is text and nothing else, whatever is in it', async () => {
  expect(await pageWith({ supportContact: '"><script>$&</script>' })).toContain(
    'content="&quot;>&lt;script>$&amp;&lt;/script>" /></head>',
  )
})

test('the page says where any password is taken [SIGNIN-26]', async () => {
  expect(await pageWith({ skipPasswordRule: true })).toContain(
    '<meta name="boathouse-password-rule" content="off" /></head>',
  )
  expect(await pageWith({ skipPasswordRule: false })).not.toContain('boathouse-password-rule')
})

test('the page names its region and the hosts of others, where there are any [REAL-05]', async () => {
  const own = { regionId: 'us-1' }
  expect(await pageWith({ regions: { own, others: [] } })).not.toContain('meta')
  const others = [{ regionId: 'eu-1', url: 'https://eu-1.example.com' }]
  expect(await pageWith({ regions: { own, others } })).toContain(
    '<meta name="boathouse-region" content="us-1" /><meta name="boathouse-regions" content="eu-1=https://eu-1.example.com" />',
  )
  expect(await pageWith({ centralUrl: 'https://data.example.com', regions: { own, others: [] } })).toContain(
    '<meta name="boathouse-central-host" content="https://data.example.com" /><meta name="boathouse-region" content="us-1" />',
  )
})

test('without a contact the page names none', async () => {
  expect(await pageWith({})).toBe('<html><head></head><body></body></html>')
})
