import { use } from 'react'
import { shippingFootnote } from '#domain/catalog/shipping-terms.ts'
import { say, sayKnown } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { FoldIcon } from '#web/ui/FoldIcon.tsx'
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
      <div className="shell footer-columns">
        <div className="footer-name">
          <p className="font-display leading-none font-[480] tracking-[-0.03em]">
            {site.logo ? <LogoPicture logo={site.logo} name={site.name} /> : site.name}
          </p>
          <p className="text-ivory/75">{say('{tagline}, made to order.', { tagline: sayKnown(site.tagline) })}</p>
          <NewsletterForm />
        </div>
        <Column title={say('Company')} links={companyLinks(useCollections())} />
        <Column title={say('Support')} links={supportLinks(site)} />
        <Column title={say('Follow')} links={followLinks(site)} />
      </div>
      <div className="shell pb-5 sm:pb-10">
        <div className="fine-print">
          <p className="max-w-[43.5em]">{`* ${shippingFootnote(terms)}`}</p>
          <PaymentMarks />
          <Languages />
          {site.imprint && <p>{site.imprint}</p>}
          <p className="flex flex-wrap gap-x-5">
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
}

const Column = ({ title, links }: ColumnProps) => (
  <nav aria-label={title} className="footer-links">
    <h2>{title}</h2>
    <details className="group">
      <summary>
        {title}
        <FoldIcon className="-mr-1 size-5" />
      </summary>
      <ul>
        {links.map(({ to, text }) => (
          <li key={to}>
            <Link to={to}>{text}</Link>
          </li>
        ))}
      </ul>
    </details>
  </nav>
)
