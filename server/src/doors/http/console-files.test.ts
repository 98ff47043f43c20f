import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConsoleFiles } from './console-files.ts'

async function pageWith(facts: Parameters<typeof readConsoleFiles>[1]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse console-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await writeFile(join(directory, 'index.html'), '<html><head></head><body></body></html>')
  const console = await readConsoleFiles(directory, facts)
  return console.pageAt('/')?.plain.toString() ?? ''
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

test('the page of an address names the files that it is made of, once each', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse console-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const start = '<script type="module" src="/assets/start.js"></script>'
  await writeFile(join(directory, 'index.html'), `<html><head>${start}</head></html>`)
  const editor = ['/assets/start.js', '/assets/editor.js', '/assets/editor.css', '/assets/mono.woff2']
  const pageFiles = { '/login': ['/assets/login.js'], editor, 'editor/result': ['/assets/result.js'] }
  await writeFile(join(directory, 'page-files.json'), JSON.stringify(pageFiles))
  const console = await readConsoleFiles(directory)
  const headAt = (path: string) =>
    /<head>(.*)<\/head>/.exec(console.pageAt(path)?.plain.toString() ?? '')?.[1]
  expect(headAt('/local-1/RHR18680/editor')).toBe(
    `${start}<link rel="modulepreload" crossorigin href="/assets/editor.js">` +
      '<link rel="stylesheet" crossorigin href="/assets/editor.css">' +
      '<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/mono.woff2">',
  )
  expect(headAt('/local-1/RHR18680/editor/result/7')).toContain('/assets/result.js')
  expect(headAt('/login')).toContain('/assets/login.js')
  for (const path of ['/', '/editor', '/local-1/RHR18680', '/local-1/RHR18680/editors', '/a/login'])
    expect(headAt(path)).toBe(start)
  expect(console.files.has('/page-files.json')).toBe(false)
})
