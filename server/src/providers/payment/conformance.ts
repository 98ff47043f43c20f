import type { TestCard } from '@boathouse/contract'
import { expect, test } from 'vitest'
import type { ChargeOrder, PaymentProvider } from './payment-provider.ts'

/** A provider, and what people and banks do to it. */
interface ProviderUnderTest {
  readonly provider: PaymentProvider
  enter(clientSecret: string, card: TestCard): Promise<void>
  answerChallenge(clientSecret: string, passes: boolean): Promise<void>
  /** Until what fails later has failed. */
  failLater(): Promise<void>
}

const ORGANISATION = { id: '5f0c0d9e-0000-4000-8000-000000000001', name: 'Rowing club' }

type Start = () => Promise<ProviderUnderTest>

/** The behaviour that every payment provider must have. */
export function paymentProviderSuite(name: string, start: Start): void {
  setupSuite(name, start)
  chargeSuite(name, start)
}

function setupSuite(name: string, start: Start): void {
  test(`${name}: the same organisation is the same customer, also at the same moment`, async () => {
    const { provider } = await start()
    const refs = await Promise.all([
      provider.createCustomer(ORGANISATION),
      provider.createCustomer(ORGANISATION),
    ])
    expect(new Set([...refs, await provider.createCustomer(ORGANISATION)]).size).toBe(1)
    expect(await provider.createCustomer({ ...ORGANISATION, id: 'another' })).not.toBe(refs[0])
  })

  test(`${name}: a set-up waits for a card, and tells of it what may be kept`, async () => {
    const { provider, enter } = await start()
    const { setupRef, clientSecret } = await provider.beginSetup(await provider.createCustomer(ORGANISATION))
    expect(await provider.setupOutcome(setupRef)).toEqual({ state: 'waiting' })
    await enter(clientSecret, 'amex')
    const card = {
      cardRef: expect.any(String) as string,
      brand: 'American Express',
      lastDigits: '4242',
      expires: '2039-02',
    }
    expect(await provider.setupOutcome(setupRef)).toEqual({ state: 'succeeded', card })
    expect(await provider.setupOutcome('nobody')).toEqual({ state: 'declined' })
  })

  test(`${name}: a declined card can be changed for another under the same secret`, async () => {
    const { provider, enter } = await start()
    const { setupRef, clientSecret } = await provider.beginSetup(await provider.createCustomer(ORGANISATION))
    await enter(clientSecret, 'declined')
    expect(await provider.setupOutcome(setupRef)).toEqual({ state: 'declined' })
    await enter(clientSecret, 'mastercard')
    expect(await provider.setupOutcome(setupRef)).toMatchObject({
      state: 'succeeded',
      card: { brand: 'Mastercard' },
    })
  })

  test.each([
    [true, 'succeeded'],
    [false, 'declined'],
  ])(`${name}: a bank that asks decides when it is answered: %s is %s`, async (passes, state) => {
    const { provider, enter, answerChallenge } = await start()
    const { setupRef, clientSecret } = await provider.beginSetup(await provider.createCustomer(ORGANISATION))
    await enter(clientSecret, 'challenge')
    expect(await provider.setupOutcome(setupRef)).toEqual({ state: 'verifying' })
    await answerChallenge(clientSecret, passes)
    expect((await provider.setupOutcome(setupRef)).state).toBe(state)
  })
}

async function startWithCard(start: Start, card: TestCard) {
  const under = await start()
  const customerRef = await under.provider.createCustomer(ORGANISATION)
  const bind = async (entered: TestCard): Promise<string> => {
    const { setupRef, clientSecret } = await under.provider.beginSetup(customerRef)
    await under.enter(clientSecret, entered)
    const outcome = await under.provider.setupOutcome(setupRef)
    return outcome.state === 'succeeded' ? outcome.card.cardRef : ''
  }
  const cardRef = await bind(card)
  const charge = (change: Partial<ChargeOrder> = {}) =>
    under.provider.charge({
      customerRef,
      cardRef,
      cents: 632,
      description: 'Invoice 2026-03-club',
      key: 'invoice-1',
      attempt: 1,
      ...change,
    })
  return { ...under, customerRef, cardRef, bind, charge }
}

function chargeSuite(name: string, start: Start): void {
  const withCard = (card: TestCard) => startWithCard(start, card)

  test(`${name}: under one key at most one charge succeeds, whatever is sent again`, async () => {
    const { charge } = await withCard('visa')
    const first = await charge()
    expect(first).toMatchObject({ state: 'succeeded' })
    expect(await charge()).toEqual(first)
    expect(await charge({ attempt: 2 })).toEqual(first)
    expect(await charge({ key: 'invoice-2' })).not.toEqual(first)
  })

  test(`${name}: a refused try is answered again; the next one may succeed with another card`, async () => {
    const { charge, bind } = await withCard('declinedLater')
    const first = await charge()
    expect(first).toMatchObject({ state: 'declined', problem: expect.any(String) as string })
    expect(await charge()).toEqual(first)
    expect(await charge({ attempt: 2 })).toMatchObject({ state: 'declined' })
    const cardRef = await bind('visa')
    expect(await charge({ attempt: 3, cardRef })).toMatchObject({ state: 'succeeded' })
  })

  test(`${name}: a charge that fails only later is no payment before, and may be tried again`, async () => {
    const { charge, bind, failLater } = await withCard('failsLater')
    expect(await charge()).toEqual({ state: 'processing' })
    expect(await charge()).toEqual({ state: 'processing' })
    await failLater()
    expect(await charge()).toMatchObject({ state: 'declined' })
    const cardRef = await bind('visa')
    expect(await charge({ attempt: 2, cardRef })).toMatchObject({ state: 'succeeded' })
  })

  test(`${name}: a card that was detached is charged no more; what it paid stays paid, and it is detached once`, async () => {
    const { provider, charge, bind, cardRef } = await withCard('visa')
    const paid = await charge()
    await provider.detachCard(cardRef)
    await provider.detachCard(cardRef)
    await provider.detachCard('nobody')
    expect(await charge()).toEqual(paid)
    expect(await charge({ key: 'invoice-2' })).toMatchObject({
      state: 'declined',
      problem: 'The payment provider no longer knows the card. Add a card.',
    })
    const next = await bind('visa')
    expect(await charge({ key: 'invoice-2', attempt: 2, cardRef: next })).toMatchObject({
      state: 'succeeded',
    })
  })

  test(`${name}: a card that the provider does not know is declined`, async () => {
    const { charge } = await withCard('visa')
    expect(await charge({ cardRef: 'nobody' })).toMatchObject({ state: 'declined' })
  })
}
