import { use } from 'react'
import { shippingFootnote } from '#domain/catalog/shipping-terms.ts'
import { say, sayKnown } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { classNames } from '#web/ui/class-names.ts'
import { PaymentMarks } from '#web/ui/PaymentMarks.tsx'
import { Link } from '../Link.tsx'
import { DocumentContext } from '../page-state.ts'
import { useCollections } from '../use-collections.ts'
import { useShippingTerms } from '../use-shipping-terms.ts'
import { Languages } from './Languages.tsx'
import { LogoPicture } from './Logo.tsx'
import { NewsletterForm } from './NewsletterForm.tsx'
import { companyLinks, followLinks, supportLinks, type FrameLink } from './links.ts'

export function Footer() {
  const { year } = use(DocumentContext)
  const site = useSite()
  const terms = useShippingTerms()
  return (
    <footer className="on-dark mt-16 bg-charcoal sm:mt-24 text-ivory">
      <div className="shell grid grid-cols-[1fr_auto] gap-x-4 gap-y-7 pt-11 pb-8 sm:gap-y-10 sm:pt-16 sm:pb-14 sm:grid-cols-3 sm:gap-x-10 lg:grid-cols-[1.6fr_1fr_1fr_1fr]">
        <div className="footer-name">
          <p className="font-display text-[2rem] leading-none font-[480] tracking-[-0.03em]">
            {site.logo ? <LogoPicture logo={site.logo} name={site.name} /> : site.name}
          </p>
          <p className="mt-3 max-w-[13.9em] text-ivory/75">
            {say('{tagline}, made to order.', { tagline: sayKnown(site.tagline) })}
          </p>
          <NewsletterForm />
        </div>
        <Column title={say('Company')} links={companyLinks(useCollections())} />
        <Column title={say('Support')} links={supportLinks(site)} />
        <Column title={say('Follow')} links={followLinks(site)} isShort />
      </div>
      <div className="shell pb-10">
        <div className="border-t border-ivory/20 pt-5 text-sm text-ivory/75">
          <p className="max-w-[43.5em]">{`* ${shippingFootnote(terms)}`}</p>
          <div className="mt-4">
            <PaymentMarks />
          </div>
          <Languages />
          {site.imprint && <p className="mt-4">{site.imprint}</p>}
          <p className="mt-4 flex flex-wrap gap-x-5">
            <span>
              © {year} {site.name}. {say('All rights reserved.')}
            </span>
            <span>{sayKnown(site.footerNote)}</span>
          </p>
        </div>
      </div>
    </footer>
  )
}

type ColumnProps = {
  title: string
  links: readonly FrameLink[]
  /** On phones its links are on a line. */
  isShort?: boolean
}

function Column({ title, links, isShort }: ColumnProps) {
  return (
    <nav aria-label={title} className={isShort ? 'max-sm:col-span-full' : undefined}>
      <h2 className="font-text! text-[0.9375rem] font-semibold tracking-normal text-gold">{title}</h2>
      <ul className={classNames('mt-3', isShort && 'max-sm:mt-1.5 max-sm:flex max-sm:flex-wrap max-sm:gap-x-5')}>
        {links.map(({ to, text }) => (
          <li key={to}>
            <Link
              to={to}
              className="inline-block py-1 leading-snug text-ivory/90 sm:py-1.5 underline-offset-4 hover:text-ivory hover:underline max-sm:text-[0.9375rem]"
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
