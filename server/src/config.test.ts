import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, describeSettings, readConfig } from './config.ts'

const home = '/home/somebody/boathouse'

describe('configuration', () => {
  test('is complete without any variable, with the data beside the product', () => {
    expect(readConfig({}, home)).toMatchObject({
      dataDir: join(home, 'data'),
      httpPort: 8080,
      mysql: { host: '127.0.0.1', port: 9030, requiresTls: true, files: null },
      region: 'local-1',
      adminPassword: undefined,
      proxies: 0,
      databaseUrl: undefined,
    })
  })

  test.each([
    ['BOATHOUSE_HTTP_PORT', 'eighty'],
    ['BOATHOUSE_HTTP_PORT', '70000'],
    ['BOATHOUSE_MYSQL_PORT', '-1'],
    ['BOATHOUSE_REGION', 'Local 1'],
    ['BOATHOUSE_PUBLIC_URL', 'boathouse.example'],
    ['BOATHOUSE_LOG_LEVEL', 'loud'],
    ['BOATHOUSE_TRUST_PROXY', 'true'],
    ['BOATHOUSE_TRUST_PROXY', '-1'],
    ['DATABASE_URL', 'mysql://elsewhere/db'],
    ['BOATHOUSE_SMTP_URL', 'mail.example.com:25'],
    ['BOATHOUSE_MAIL_FROM', 'Boathouse'],
    ['BOATHOUSE_CSP', 'My cloud'],
    ['BOATHOUSE_REGIONS', 'eu-1'],
    ['BOATHOUSE_REGIONS', 'eu-1=https://eu-1.example.com'],
    ['BOATHOUSE_REGIONS', 'eu-1@aws=https://eu-1.example.com/console'],
    ['BOATHOUSE_REGIONS', 'eu-1@aws=https://a.example,eu-1@aws=https://b.example'],
    ['BOATHOUSE_MARKETPLACE', 'azure'],
  ])('a wrong %s (%s) is refused in one sentence that names it', (name, value) => {
    const read = () => readConfig({ [name]: value }, home)
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(`^${name}: .*\\.$`))
  })

  const secret = 'a secret of more than thirty-two characters'

  test('a server is the central one, with other regions or without, or that of a region [REAL-05]', () => {
    expect(readConfig({}, home).regions).toEqual({
      own: { regionId: 'local-1', cspId: 'local' },
      others: [],
      secret: null,
      central: null,
    })
    const regions = {
      BOATHOUSE_REGIONS: 'eu-1@aws=https://eu-1.example.com, us-1@azure=http://10.0.0.7:8080',
      BOATHOUSE_REGIONS_SECRET: secret,
    }
    expect(readConfig(regions, home).regions).toMatchObject({
      others: [
        { regionId: 'eu-1', cspId: 'aws', url: 'https://eu-1.example.com' },
        { regionId: 'us-1', cspId: 'azure', url: 'http://10.0.0.7:8080' },
      ],
      secret,
    })
    const central = {
      BOATHOUSE_CENTRAL_URL: 'https://data.example.com',
      BOATHOUSE_CENTRAL_SECRET: secret,
    }
    expect(readConfig({ ...central, BOATHOUSE_REGION: 'eu-1' }, home).regions.central).toEqual({
      url: 'https://data.example.com',
      secret,
    })
    const { BOATHOUSE_REGIONS, BOATHOUSE_REGIONS_SECRET } = regions
    const refused = (env: Record<string, string>) => () => readConfig(env, home)
    expect(refused({ BOATHOUSE_REGIONS })).toThrow(/set together/)
    expect(refused({ BOATHOUSE_REGIONS_SECRET })).toThrow(/set together/)
    expect(refused({ BOATHOUSE_CENTRAL_URL: central.BOATHOUSE_CENTRAL_URL })).toThrow(/set together/)
    expect(refused({ ...regions, ...central })).toThrow(/set one of them/)
    expect(refused({ ...regions, BOATHOUSE_REGION: 'eu-1' })).toThrow(/eu-1 is the region of this server/)
  })

  test('the AWS marketplace needs the keys of its seller', () => {
    const marketplace = { BOATHOUSE_MARKETPLACE: 'aws' }
    expect(() => readConfig(marketplace, home)).toThrow(/needs BOATHOUSE_AWS_ACCESS_KEY/)
    const keys = { BOATHOUSE_AWS_ACCESS_KEY: 'AKIA1', BOATHOUSE_AWS_SECRET_KEY: 'oar' }
    expect(readConfig({ ...marketplace, ...keys }, home).marketplace).toEqual({
      kind: 'aws',
      dimension: 'usage_cents',
      url: '',
    })
  })

  test('a mail server needs a sender', () => {
    const mail = { BOATHOUSE_SMTP_URL: 'smtps://oar:secret@mail.example.com' }
    expect(() => readConfig(mail, home)).toThrow(/^BOATHOUSE_MAIL_FROM must be set/)
    expect(
      readConfig({ ...mail, BOATHOUSE_MAIL_FROM: 'Boathouse <no-reply@example.com>' }, home).smtp,
    ).toEqual({
      url: mail.BOATHOUSE_SMTP_URL,
      from: 'Boathouse <no-reply@example.com>',
    })
  })

  test('nothing listens for private links unless it is said, and AWS needs its service, keys and load balancers', () => {
    expect(readConfig({}, home).privateLink).toEqual({
      host: '127.0.0.1',
      httpPort: null,
      mysqlPort: null,
      proxies: null,
      serviceId: null,
    })
    const aws = {
      BOATHOUSE_PRIVATE_LINK: 'aws',
      BOATHOUSE_PRIVATE_LINK_SERVICE: 'vpce-svc-0123456789abcdef0',
      BOATHOUSE_PRIVATE_LINK_PROXIES: '10.0.1.0/24, 10.0.2.7',
      BOATHOUSE_AWS_ACCESS_KEY: 'AKIA',
      BOATHOUSE_AWS_SECRET_KEY: 'secret',
    }
    expect(readConfig(aws, home).privateLink).toMatchObject({ serviceId: 'vpce-svc-0123456789abcdef0' })
    expect(readConfig(aws, home).privateLink.proxies).toHaveLength(4)
    for (const name of ['BOATHOUSE_PRIVATE_LINK_SERVICE', 'BOATHOUSE_PRIVATE_LINK_PROXIES'])
      expect(() => readConfig({ ...aws, [name]: undefined }, home)).toThrow(
        'BOATHOUSE_PRIVATE_LINK=aws needs',
      )
    const { BOATHOUSE_AWS_ACCESS_KEY: _key, BOATHOUSE_AWS_SECRET_KEY: _secret, ...keyless } = aws
    expect(() => readConfig(keyless, home)).toThrow('BOATHOUSE_PRIVATE_LINK=aws needs')
    expect(() => readConfig({ ...aws, BOATHOUSE_PRIVATE_LINK: 'local' }, home)).toThrow('are for')
    for (const list of ['10.0.0.0/40', 'everyone', '::1'])
      expect(() => readConfig({ ...aws, BOATHOUSE_PRIVATE_LINK_PROXIES: list }, home)).toThrow(
        /^BOATHOUSE_PRIVATE_LINK_PROXIES/,
      )
    const closed = { BOATHOUSE_MYSQL_PORT: 'off', BOATHOUSE_PRIVATE_LINK_MYSQL_PORT: '9130' }
    expect(() => readConfig(closed, home)).toThrow('needs BOATHOUSE_MYSQL_PORT')
  })

  const stripe = {
    BOATHOUSE_PAYMENT: 'stripe',
    BOATHOUSE_STRIPE_SECRET_KEY: 'sk_test_rowing2026',
    BOATHOUSE_STRIPE_PUBLISHABLE_KEY: 'pk_test_rowing2026',
    BOATHOUSE_STRIPE_WEBHOOK_SECRET: 'whsec_rowing2026,whsec_older2025',
  }

  test('cards are taken by the local provider unless Stripe and all its keys are set', () => {
    expect(readConfig({}, home)).toMatchObject({ payment: 'local', stripe: null })
    expect(readConfig(stripe, home).stripe).toEqual({
      secretKey: 'sk_test_rowing2026',
      publishableKey: 'pk_test_rowing2026',
      webhookSecrets: ['whsec_rowing2026', 'whsec_older2025'],
      url: 'https://api.stripe.com',
    })
    const { BOATHOUSE_PAYMENT: _, ...keys } = stripe
    expect(() => readConfig(keys, home)).toThrow('set both or neither')
    for (const name of Object.keys(keys))
      expect(() => readConfig({ ...stripe, [name]: undefined }, home)).toThrow(
        'BOATHOUSE_PAYMENT=stripe needs',
      )
    const live = { ...stripe, BOATHOUSE_STRIPE_PUBLISHABLE_KEY: 'pk_live_rowing2026' }
    expect(() => readConfig(live, home)).toThrow('both for tests or both live')
    const swapped = { ...stripe, BOATHOUSE_STRIPE_SECRET_KEY: 'pk_test_rowing2026' }
    expect(() => readConfig(swapped, home)).toThrow(/^BOATHOUSE_STRIPE_SECRET_KEY: The given value is not/)
    const plain = { ...stripe, BOATHOUSE_STRIPE_URL: 'http://stripe.example.com' }
    expect(() => readConfig(plain, home)).toThrow(/^BOATHOUSE_STRIPE_URL/)
    const shown = describeSettings(stripe).map(({ value }) => value)
    expect(shown.join(' ')).not.toMatch(/sk_test_|whsec_/)
  })

  test('the password rule can be skipped on local and sandbox hosts only, and is not unless that is asked for [SIGNIN-26]', () => {
    const skip = { BOATHOUSE_SKIP_PASSWORD_RULE: 'true' }
    expect(readConfig({}, home).skipPasswordRule).toBe(false)
    const read = (env: Record<string, string>) => readConfig({ ...skip, ...env }, home).skipPasswordRule
    expect(read({})).toBe(true)
    for (const host of ['localhost', '[::1]:8080', 'boats.localhost', 'sandbox.example.com'])
      expect(read({ BOATHOUSE_PUBLIC_URL: `https://${host}` })).toBe(true)
    for (const host of ['data.example.com', '10.0.0.7', 'sandbox-data.com', '127.example.com'])
      expect(() => read({ BOATHOUSE_PUBLIC_URL: `https://${host}` })).toThrow(
        `BOATHOUSE_SKIP_PASSWORD_RULE is for local and sandbox hosts only, and ${host} is neither`,
      )
    expect(() => read({ BOATHOUSE_HTTP_HOST: '0.0.0.0' })).toThrow(ConfigError)
  })

  test('a secret is not repeated in the sentence that refuses it', () => {
    expect(() => readConfig({ BOATHOUSE_ADMIN_PASSWORD: 'hunter2' }, home)).toThrow(
      /^BOATHOUSE_ADMIN_PASSWORD: The given value/,
    )
  })

  test('a setting that does not exist is refused rather than ignored', () => {
    expect(() => readConfig({ BOATHOUSE_PORT: '8081' }, home)).toThrow(/BOATHOUSE_PORT is not a setting/)
  })

  test('variables of the terminal client are no settings, and keep no server from starting', () => {
    const ofClients = ['URL', 'ACCOUNT', 'USER', 'PASSWORD', 'KEY', 'SQL_HISTORY']
    const env = Object.fromEntries(ofClients.map((name) => [`BOATHOUSE_${name}`, 'x']))
    expect(readConfig(env, home)).toEqual(readConfig({}, home))
    expect(() => readConfig({ BOATHOUSE_KEYS: 'x' }, home)).toThrow(/BOATHOUSE_KEYS is not a setting/)
  })

  test('every setting is listed with its default and secrets are masked', () => {
    const lines = describeSettings({
      DATABASE_URL: 'postgres://app:secret@db/app',
      BOATHOUSE_HTTP_PORT: '8081',
    })
    const byName = new Map(lines.map((line) => [line.name, line]))
    expect(byName.get('DATABASE_URL')).toMatchObject({ value: '***', isDefault: false })
    expect(byName.get('BOATHOUSE_HTTP_PORT')).toMatchObject({ value: '8081', isDefault: false })
    expect(byName.get('BOATHOUSE_MYSQL_PORT')).toMatchObject({ value: '9030', isDefault: true })
    expect(byName.has('BOATHOUSE_DATA_DIR') && byName.has('BOATHOUSE_ADMIN_PASSWORD')).toBe(true)
  })
})
