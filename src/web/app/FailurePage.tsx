import { lazy, Suspense } from 'react'
import { isRouteErrorResponse, useLocation, useMatches, useRouteError } from 'react-router'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { SupportEmail } from '#web/app/SupportEmail.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { PageFrame } from './frame/Frame.tsx'

// Few people see them.
const NotFoundPage = import.meta.env.SSR
  ? (await import('./NotFoundPage.tsx')).NotFoundPage
  : lazy(async () => ({ default: (await import('./NotFoundPage.tsx')).NotFoundPage }))

const ProductNotFound = import.meta.env.SSR
  ? (await import('#web/catalog/ProductNotFound.tsx')).ProductNotFound
  : lazy(async () => ({ default: (await import('#web/catalog/ProductNotFound.tsx')).ProductNotFound }))

/** Shown instead of a page that does not exist or failed to load. */
export function FailurePage() {
  const error = useRouteError()
  const isProduct = useMatches().some(({ pathname }) => pathname.startsWith('/product/'))
  const isMissing = isRouteErrorResponse(error) && error.status === 404
  return (
    <PageFrame>
      {isMissing ? <Suspense>{isProduct ? <ProductNotFound /> : <NotFoundPage />}</Suspense> : <PageFailure />}
    </PageFrame>
  )
}

function PageFailure() {
  const { pathname, search } = useLocation()
  return (
    <div className="shell grid min-h-[60vh] content-center justify-items-start gap-6 py-20">
      <PageHead title={say('Something went wrong')} />
      <h1 className="text-headline">{say('Something went wrong')}</h1>
      <p className="max-w-[38em] text-lg text-ink-soft">
        <Sentence
          word="The page could not be loaded. Your cart is as you left it, and paid orders are safe. If it happens again, write to {email}."
          parts={{ email: <SupportEmail /> }}
        />
      </p>
      <a href={spokenAddress(`${pathname}${search}`)} className={buttonClass('primary')}>
        {say('Try again')}
      </a>
    </div>
  )
}
