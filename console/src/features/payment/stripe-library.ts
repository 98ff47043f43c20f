/** What is used of the library that Stripe serves to browsers. */
interface StripeElement {
  mount(into: HTMLElement): void
  on(event: 'ready' | 'loaderror', listener: () => void): void
  destroy(): void
}

export interface StripeElements {
  create(kind: 'payment', options: object): StripeElement
}

export interface StripeLibrary {
  elements(options: { clientSecret: string; appearance: object }): StripeElements
  confirmSetup(options: {
    elements: StripeElements
    redirect: 'if_required'
    confirmParams: { return_url: string }
  }): Promise<{ readonly error?: { readonly type: string } }>
}

type MakeStripe = (publishableKey: string) => StripeLibrary

/** As Stripe asks, it is always loaded from there. */
export const STRIPE_SCRIPT = 'https://js.stripe.com/v3/'

const isMaker = (value: unknown): value is MakeStripe => typeof value === 'function'
const known = (): MakeStripe | undefined => {
  const found: unknown = Reflect.get(globalThis, 'Stripe')
  return isMaker(found) ? found : undefined
}

function loadScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = STRIPE_SCRIPT
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      // The next who asks tries again.
      script.remove()
      reject(new Error(`${STRIPE_SCRIPT} could not be loaded.`))
    })
    document.head.append(script)
  })
}

/** Nothing of it is loaded before the user adds a card. */
export async function loadStripe(publishableKey: string): Promise<StripeLibrary> {
  if (!known()) await loadScript()
  const make = known()
  if (!make) throw new Error('The library of the payment provider is not there.')
  return make(publishableKey)
}
