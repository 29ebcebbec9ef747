import type { ReactNode } from 'react'
import { paths } from '#contract/paths.ts'
import { itemCount } from '#domain/cart/cart.ts'
import { useSite } from '#web/api/use-site.ts'
import { Logo } from '#web/app/frame/Logo.tsx'
import { useCart } from '#web/cart/use-cart.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { say } from '#words/say.ts'
import { spokenAddress } from '#shared/language.ts'
import type { Word } from '#words/words.ts'
import { Lock } from './Lock.tsx'

const footerLinks = [
  { to: paths.shippingReturns, text: 'Returns' },
  { to: paths.privacyPolicy, text: 'Privacy' },
  { to: paths.termsOfService, text: 'Terms' },
  { to: paths.contact, text: 'Contact' },
] as const satisfies readonly { to: string; text: Word }[]

/** Bars of the payment pages, which lead nowhere else. */
export function CheckoutFrame({ children }: { children: ReactNode }) {
  const site = useSite()
  const count = itemCount(useCart().lines)
  return (
    <>
      <header className="border-b border-line bg-surface">
        <div className="shell grid min-h-15 grid-cols-[1fr_auto_1fr] items-center gap-3">
          <a
            href={spokenAddress(paths.home)}
            aria-label={say('{shop} home page', { shop: site.name })}
            className="-m-1 justify-self-start p-1 max-sm:[&_.font-display]:text-xl"
          >
            <Logo />
          </a>
          <p className="flex items-center gap-1.5 text-sm leading-tight text-ink-soft min-[26rem]:whitespace-nowrap">
            <Lock className="size-4" />
            <span className="max-[22.4rem]:sr-only">{say('Secure checkout')}</span>
          </p>
          <a
            href={spokenAddress(paths.cart)}
            className="inline-flex min-h-11 items-center gap-1.5 justify-self-end text-sm font-medium underline-offset-4 hover:underline"
          >
            <Icon name="bag" className="size-5" />
            <span className="max-[26rem]:sr-only">{say('Cart')}</span>
            {count > 0 && <span>({count})</span>}
          </a>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <footer className="border-t border-line">
        <ul className="shell flex flex-wrap justify-center gap-x-6 py-2 text-sm text-ink-soft">
          {footerLinks.map(({ to, text }) => (
            <li key={to}>
              <a
                href={spokenAddress(to)}
                className="inline-flex min-h-10 items-center underline-offset-4 hover:text-ink hover:underline"
              >
                {say(text)}
              </a>
            </li>
          ))}
        </ul>
      </footer>
    </>
  )
}
