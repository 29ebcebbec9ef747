import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { NewPartnerLink, type PartnerLink } from '#contract/partners.ts'
import { paths } from '#contract/paths.ts'
import { useSite } from '#web/api/use-site.ts'
import { productsQuery } from '#web/api/queries.ts'
import { useCollections } from '#web/app/use-collections.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Field } from '#web/ui/Field.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import { MoreButton } from '#web/ui/MoreButton.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'

const linksKey = ['partner-links'] as const

export function usePartnerLinks() {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: linksKey,
    queryFn: ({ pageParam }) =>
      api('GET /api/partnership/links', { query: pageParam === null ? {} : { older: String(pageParam) } }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ olderThan }) => olderThan,
  })
}

export function Links() {
  const query = usePartnerLinks()
  return (
    <>
      <Builder />
      <h3 className="mt-10 text-[1.25rem]">Your links</h3>
      <QueryBoundary query={query} className="mt-4">
        {({ pages }) => (
          <ul className="mt-2">
            {pages
              .flatMap(({ links }) => links)
              .map((link) => (
                <LinkRow key={link.code} link={link} />
              ))}
          </ul>
        )}
      </QueryBoundary>
      <MoreButton query={query}>Older links</MoreButton>
    </>
  )
}

function Builder() {
  const api = useApi()
  const queries = useQueryClient()
  const { data: products = [] } = useQuery(productsQuery)
  const collections = useCollections()
  const [newLink, setNewLink] = useState<PartnerLink>()
  const pagesId = useId()

  const send = async (body: NewPartnerLink) => {
    setNewLink(await api('POST /api/partnership/links', { body }))
    await queries.invalidateQueries({ queryKey: linksKey })
  }

  return (
    <ApiForm schema={NewPartnerLink} send={send} aria-label="Generate Links" className="grid gap-5">
      <div className="grid items-start gap-5 md:grid-cols-[1.6fr_1fr_auto]">
        <Field
          label="Page"
          name="page"
          list={pagesId}
          required
          maxLength={500}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="Choose one, or paste the address of any shop page."
        />
        <datalist id={pagesId}>
          <option value={paths.home}>Home</option>
          <option value={paths.products}>All products</option>
          {collections.map(({ id, slug, displayName }) => (
            <option key={id} value={paths.collection(slug)}>
              {displayName}
            </option>
          ))}
          {products.map(({ id, name }) => (
            <option key={id} value={paths.product(id)}>
              {name}
            </option>
          ))}
        </datalist>
        <Field
          label="Campaign"
          name="campaign"
          optional
          maxLength={60}
          autoComplete="off"
          hint="Your own name for it, such as a video title."
        />
        <SubmitButton busyText="Creating..." className="md:mt-[1.9rem]">
          Create link
        </SubmitButton>
      </div>
      <FormNotice />
      {newLink && (
        <Notice tone="calm" title="Your link is ready">
          <span className="flex flex-wrap items-center gap-x-5 gap-y-2">
            <span className="wrap-anywhere">{newLink.address}</span>
            <CopyButton text={newLink.address} what={`the link ${newLink.code}`} variant="plain" />
          </span>
        </Notice>
      )}
    </ApiForm>
  )
}

export function LinkRow({ link: { code, address, path, campaign, card } }: { link: PartnerLink }) {
  return (
    <li className="border-t border-line py-5 first:border-t-0">
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2">
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{address}</p>
          <p className="text-[0.9375rem] wrap-anywhere text-ink-soft">
            to {path}
            {campaign && <> · {campaign}</>}
          </p>
        </div>
        <CopyButton text={address} what={`the link ${code}`} />
      </div>
      <details className="group mt-2">
        <summary className="inline-flex min-h-11 cursor-pointer items-center font-medium underline decoration-accent underline-offset-4">
          QR code and card<span className="sr-only"> of {code}</span>
        </summary>
        <div className="mt-4 grid gap-x-10 gap-y-8 md:grid-cols-[11rem_minmax(0,1fr)]">
          <div>
            <img
              src={paths.linkCode(code, 'svg')}
              alt={`QR code for ${address}`}
              width={176}
              height={176}
              loading="lazy"
              className="border border-line bg-white"
            />
            <p className="mt-3 flex gap-3">
              {(['svg', 'png'] as const).map((form) => (
                <a key={form} href={paths.linkCode(code, form)} download className={buttonClass('outline', 'px-4!')}>
                  {form.toUpperCase()}
                  <span className="sr-only"> of the QR code of {code}</span>
                </a>
              ))}
            </p>
          </div>
          {card && <Card code={code} address={address} card={card} />}
        </div>
      </details>
    </li>
  )
}

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

function Card({ code, address, card }: { code: string; address: string; card: NonNullable<PartnerLink['card']> }) {
  const id = useId()
  const { width, height } = card
  const site = useSite()
  const alt = `${card.alt}, by ${site.name}`
  const embedded = `<a href="${address}"><img src="${card.address}" width="${width}" height="${height}" alt="${escapeAttribute(alt)}" style="max-width:100%;height:auto"></a>`
  return (
    <div className="min-w-0">
      <img
        src={paths.card(code)}
        alt={alt}
        width={width}
        height={height}
        loading="lazy"
        className="h-auto max-w-full"
      />
      <label htmlFor={id} className="mt-4 block text-[0.9375rem] font-medium">
        Code for your web page
      </label>
      <textarea id={id} readOnly rows={3} value={embedded} className={`${inputClass} mt-1.5 font-mono text-sm!`} />
      <p className="mt-3">
        <CopyButton text={embedded} what={`the card of ${code}`} />
      </p>
    </div>
  )
}
