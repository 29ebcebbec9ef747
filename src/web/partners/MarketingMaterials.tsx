import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { copyChannels } from '#site/partnership.ts'
import type { Partnership } from '#contract/partners.ts'
import { paths } from '#contract/paths.ts'
import { useSite } from '#web/api/use-site.ts'
import { query } from '#web/api/queries.ts'
import { useCollections } from '#web/app/use-collections.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Links } from './Links.tsx'

type Partner = NonNullable<Partnership['partner']>

type Material = {
  id: string
  icon: IconName
  title: string
  text: string
  button: string
  content: (partner: Partner) => ReactNode
}

const materials: readonly [Material, ...Material[]] = [
  {
    id: 'images',
    icon: 'bag',
    title: 'Product Images',
    text: 'Every product in every color, and the preview images of shared links.',
    button: 'Download Assets',
    content: () => <Images />,
  },
  {
    id: 'copy',
    icon: 'mail',
    title: 'Promotional Copy',
    text: 'Ready-made text for a video description, a comment, a post and an email, with your link in it.',
    button: 'View Content',
    content: (partner) => <Copy partner={partner} />,
  },
  {
    id: 'links',
    icon: 'out',
    title: 'Affiliate Links',
    text: 'A short link to any page, with a QR code and a card that shows today’s price.',
    button: 'Generate Links',
    content: () => <Links />,
  },
]

/** Three cards; each opens its material below. */
export function MarketingMaterials({ partner }: { partner: Partner | null }) {
  const [openId, setOpenId] = useState<string>()
  const open = materials.find(({ id }) => id === openId)
  return (
    <section aria-labelledby="materials">
      <h2 id="materials" className="scroll-mt-24 text-title">
        Marketing Materials
      </h2>
      <ul className="mt-7 grid gap-5 md:grid-cols-3">
        {materials.map(({ id, icon, title, text, button }) => (
          <li key={id} className="flex flex-col rounded-card border border-line bg-surface p-6">
            <Icon name={icon} className="size-7 text-accent" />
            <h3 className="mt-4 text-[1.25rem] leading-tight">{title}</h3>
            <p className="mt-2 mb-6 text-ink-soft">{text}</p>
            <Button
              variant={openId === id ? 'primary' : 'outline'}
              className="mt-auto px-4!"
              aria-expanded={openId === id}
              aria-controls="material"
              onClick={() => setOpenId(openId === id ? undefined : id)}
            >
              {button}
            </Button>
          </li>
        ))}
      </ul>
      <div id="material" className="scroll-mt-24">
        {open && (
          <section aria-label={open.title} className="mt-6 rounded-card border border-line bg-surface p-6 sm:p-9">
            {partner ? open.content(partner) : <ForPartners title={open.title} />}
          </section>
        )}
      </div>
    </section>
  )
}

const ForPartners = ({ title }: { title: string }) => (
  <div className="grid justify-items-start gap-4">
    <p className="max-w-[40em]">
      {title} are for partners. To become one, fill in the short form on this page: tell us about your audience, and a
      person will reply. The share is {useSite().commission.usual}%, negotiable up to {useSite().commission.most}%.
    </p>
    <a href="#apply" className={buttonClass('primary')}>
      How to apply
    </a>
  </div>
)

const Images = () => {
  const themes = useCollections()
  return (
    <>
      <p className="max-w-[40em] text-ink-soft">
        One zip per collection: every view and color at full size, the preview images of shared links (1200 × 630), and
        a note on how you may use them.
      </p>
      <ul className="mt-6 grid gap-4 sm:grid-cols-3">
        {themes.map(({ id, slug, displayName }) => (
          <li key={id}>
            <a href={paths.partnerAssets(slug)} download className={buttonClass('outline', 'w-full')}>
              {displayName}
              <span className="sr-only"> pictures (zip)</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

function Copy({ partner }: { partner: Partner }) {
  const themes = useCollections()
  const [theme, setTheme] = useState(themes[0])
  const texts = useQuery({
    ...query('GET /api/partnership/texts/:collection', { params: { collection: theme?.id ?? '' } }),
    enabled: theme !== undefined,
  })
  if (!theme) return null
  return (
    <>
      <fieldset>
        <legend className="font-medium">Collection</legend>
        <div className="mt-3 flex flex-wrap gap-3">
          {themes.map((choice) => (
            <label
              key={choice.id}
              className="flex min-h-11 cursor-pointer items-center gap-2 rounded-card border border-line px-4 has-checked:border-ink has-checked:bg-button-quiet has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
            >
              <input
                type="radio"
                name="copy-collection"
                checked={choice.id === theme.id}
                onChange={() => setTheme(choice)}
                className="accent-(--theme-accent)"
              />
              {choice.displayName}
            </label>
          ))}
        </div>
      </fieldset>
      <QueryBoundary query={texts} className="mt-8">
        {(data) => (
          <ul className="mt-8 grid gap-x-10 gap-y-8 lg:grid-cols-2">
            {copyChannels.map(({ id, title, hint }) => {
              const text = data[id].replace('{link}', partner.link)
              return (
                <li key={id} className="flex flex-col border-t border-line pt-5">
                  <h3 className="text-[1.125rem]">{title}</h3>
                  <p className="text-sm text-ink-soft">{hint}</p>
                  <p className="mt-3 mb-4 rounded-card bg-ground p-4 whitespace-pre-line wrap-anywhere">{text}</p>
                  <div className="mt-auto">
                    <CopyButton text={text} what={title} />
                  </div>
                </li>
              )
            })}
          </ul>
        )}
      </QueryBoundary>
    </>
  )
}
