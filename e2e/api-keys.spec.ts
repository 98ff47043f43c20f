import { expectAccessibleBothWays } from './axe.ts'
import { expect, signedInTest } from './console-test.ts'
import { operator } from './operator.ts'
import { takePictures } from './schemes.ts'

interface Envelope {
  readonly data: { readonly user: string; readonly activeRoles: readonly string[] } | null
}

/** A call of a program that has a key and nothing else. */
async function infoBy(url: string, secret: string): Promise<{ status: number; body: Envelope }> {
  const answer = await fetch(`${url}/api/user/info`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: '{}',
  })
  return { status: answer.status, body: (await answer.json()) as Envelope }
}

signedInTest(
  'somebody makes a key for themselves, uses, rotates and revokes it, and makes one for a service user',
  async ({ page, product }) => {
    const look = (name: string) => takePictures(page, process.env['KEY_PICTURES'], name)
    const { url, accountId } = product
    await page.goto(`${url}/local-1/${accountId}/home`)
    await page.getByRole('button', { name: /User menu/ }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    const profile = page.getByRole('dialog', { name: 'User settings' })
    const create = profile.getByRole('button', { name: 'Create API key' })
    await create.scrollIntoViewIfNeeded()
    await create.click()

    const form = page.getByRole('dialog', { name: 'Create API key' })
    await form.getByRole('button', { name: 'Create API key' }).click()
    await expect(form.getByText('Enter key name')).toBeVisible()
    await form.getByLabel('Name').fill('nightly-load')
    await form.getByRole('checkbox', { name: 'MCP' }).uncheck()
    await form.getByRole('group', { name: 'Roles' }).getByRole('checkbox').first().check()
    await form.getByLabel(/Allowed addresses/).fill('10.0.0.0/40')
    await form.getByLabel('Name').focus()
    await expect(form.getByText('Enter valid IPV4 addresses')).toBeVisible()
    await form.getByLabel(/Allowed addresses/).fill('127.0.0.0/8')
    await form.getByRole('combobox', { name: 'Expires' }).click()
    await page.getByRole('option', { name: 'In 30 days' }).click()
    await look('create-key')
    await expectAccessibleBothWays(page, 'the form of a key')
    await form.getByRole('button', { name: 'Create API key' }).click()

    const shown = page.getByRole('dialog', { name: 'Copy the secret of nightly-load' })
    const secretOf = async () =>
      (await shown.getByRole('figure', { name: 'Secret' }).locator('code').textContent()) ?? ''
    await expect(shown.getByText('HTTP API with curl').first()).toBeVisible()
    const secret = await secretOf()
    expect(secret).toMatch(/^bh_[0-9A-Za-z]{32}$/)
    await look('secret')
    await expectAccessibleBothWays(page, 'the secret of a key')
    await shown.getByRole('button', { name: 'I have copied it' }).click()
    await expect(shown).toBeHidden()
    expect((await infoBy(url, secret)).body.data).toMatchObject({ user: product.user })

    await profile.getByRole('button', { name: 'Actions of nightly-load' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    const rotation = page.getByRole('dialog', { name: 'Rotate nightly-load?' })
    await rotation.getByRole('combobox', { name: 'Old secret stays valid' }).click()
    await page.getByRole('option', { name: 'Not at all' }).click()
    await rotation.getByRole('button', { name: 'Rotate API key' }).click()
    const rotated = await secretOf()
    await shown.getByRole('button', { name: 'I have copied it' }).click()
    expect((await infoBy(url, secret)).status).toBe(401)
    expect((await infoBy(url, rotated)).status).toBe(200)
    await expect(profile.getByText(/Last used/).first()).toBeVisible()
    await profile.getByText('nightly-load').scrollIntoViewIfNeeded()
    await look('own-keys')

    await profile.getByRole('button', { name: 'Actions of nightly-load' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke API key' }).click()
    await expect(page.getByText('API key nightly-load revoked.')).toBeVisible()
    expect((await infoBy(url, rotated)).status).toBe(401)

    await page.goto(`${url}/local-1/${accountId}/admin/access?tab=user`)
    await page.getByRole('button', { name: 'Create user' }).click()
    const newUser = page.getByRole('dialog', { name: 'Create user' })
    await newUser.getByLabel('User name').fill('robot')
    await newUser.getByRole('radio', { name: 'Service user' }).check({ force: true })
    await look('service-user')
    await newUser.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('tab', { name: 'API keys' }).click()
    await expect(page.getByText('No API keys')).toBeVisible()
    await look('no-keys')
    await expectAccessibleBothWays(page, 'a service user without keys')
    await page.getByRole('button', { name: 'Create API key' }).click()
    const ofRobot = page.getByRole('dialog', { name: 'Create API key for robot' })
    await ofRobot.getByLabel('Name').fill('robot key')
    await ofRobot.getByRole('button', { name: 'Create API key' }).click()
    const robotShown = page.getByRole('dialog', { name: 'Copy the secret of robot key' })
    const robotSecret = await robotShown.getByRole('figure', { name: 'Secret' }).locator('code').textContent()
    expect((await infoBy(url, robotSecret ?? '')).body.data).toMatchObject({ user: 'robot' })
    await robotShown.getByRole('button', { name: 'I have copied it' }).click()
    await page.reload()
    await expect(page.getByText(/Last used/).first()).toBeVisible()
    await look('keys-of-robot')
    await expectAccessibleBothWays(page, 'keys of a service user')

    const [kept] = await operator<{ key: string }[]>(product, 'api', 'key', 'list', accountId, 'robot')
    await operator(product, 'api', 'key', 'revoke', accountId, 'robot', kept?.key ?? '')
    expect((await infoBy(url, robotSecret ?? '')).status).toBe(401)
    await operator(product, 'user', 'delete', accountId, 'robot')
  },
)
