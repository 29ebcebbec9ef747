import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SiteTextChange } from '#contract/admin-products.ts'
import type { Answer } from '#web/api/client.ts'
import { configQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Field } from '#web/ui/Field.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { contentQuery } from './admin-queries.ts'
import { useChange } from './use-action.ts'

type Content = Answer<'GET /api/admin/content'>

/** `/admin/content`: the banner on every page, and the collections announced on the home page. */
export function ContentPage() {
  const content = useQuery(contentQuery)
  return (
    <AdminFrame title="Site text">
      <p className="mb-6 max-w-[44em] text-ink-soft">
        The banner appears on every page, the announcements on the home page. Leave a field empty to use the default
        text.
      </p>
      <QueryBoundary query={content}>
        {(loaded) => <Editor key={JSON.stringify(loaded.own)} content={loaded} />}
      </QueryBoundary>
    </AdminFrame>
  )
}

const ANNOUNCEMENTS_MAX = 4

function Editor({ content: { own, label } }: { content: Content }) {
  const api = useApi()
  const queries = useQueryClient()
  const publish = useChange()
  const [banner, setBanner] = useState(own.banner ?? '')
  const [upcoming, setUpcoming] = useState(() =>
    Array.from({ length: ANNOUNCEMENTS_MAX }, (_, index) => own.upcoming?.[index] ?? { title: '', text: '' }),
  )
  const [announcesNothing, setAnnouncesNothing] = useState(own.upcoming?.length === 0)
  const announced = upcoming.filter(({ title, text }) => title.trim() || text.trim())
  const siteTextChange: SiteTextChange = {
    banner: banner.trim() || null,
    upcoming: announced.length > 0 || announcesNothing ? announced : null,
  }

  const change = (place: number, part: Partial<(typeof upcoming)[number]>) => {
    setAnnouncesNothing(false)
    setUpcoming((before) =>
      before.map((announcement, index) => (index === place ? { ...announcement, ...part } : announcement)),
    )
  }
  const save = async () => {
    await publish(() => api('PUT /api/admin/content', { body: siteTextChange }))
    await queries.refetchQueries({ queryKey: configQuery.queryKey })
  }
  return (
    <div className="grid gap-10 xl:grid-cols-2">
      <ApiForm send={save} aria-label="Site text" className="grid content-start gap-6">
        <Field
          label="Banner"
          name="banner"
          value={banner}
          maxLength={160}
          onValue={setBanner}
          hint={`Default: ${label.banner}`}
        />
        {upcoming.map(({ title, text }, place) => (
          // oxlint-disable-next-line react/no-array-index-key
          <fieldset key={place} className="grid gap-3 border-t border-line pt-4">
            <legend className="pr-3 font-semibold">Announcement {place + 1}</legend>
            <Field
              label="Title"
              name={`upcoming.${place}.title`}
              value={title}
              maxLength={40}
              onValue={(value) => change(place, { title: value })}
              hint={label.upcoming[place] && `Default: ${label.upcoming[place].title}`}
            />
            <Field
              label="Text"
              name={`upcoming.${place}.text`}
              value={text}
              maxLength={160}
              onValue={(value) => change(place, { text: value })}
            />
          </fieldset>
        ))}
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            checked={announcesNothing && announced.length === 0}
            disabled={announced.length > 0}
            onChange={(event) => setAnnouncesNothing(event.currentTarget.checked)}
            className="size-5 accent-(--color-button)"
          />
          No announcements
        </label>
        <FormNotice />
        <div>
          <SubmitButton>Publish</SubmitButton>
        </div>
      </ApiForm>
      <Preview banner={siteTextChange.banner ?? label.banner} upcoming={siteTextChange.upcoming ?? label.upcoming} />
    </div>
  )
}

const Preview = ({ banner, upcoming }: Content['shown']) => (
  <section aria-labelledby="preview" className="grid content-start gap-5">
    <h2 id="preview" className="text-[1.375rem]">
      Preview
    </h2>
    <p className="on-dark rounded-card bg-charcoal px-4 py-3.5 text-center text-[0.8125rem] tracking-[0.03em] wrap-anywhere text-ivory/90">
      {banner}
    </p>
    {upcoming.map(({ title, text }, place) => (
      // oxlint-disable-next-line react/no-array-index-key
      <article key={place} className="rounded-card border border-line bg-surface pattern p-6">
        <p className="eyebrow text-ink-soft">Coming soon</p>
        <h3 className="mt-3 text-title wrap-anywhere">{title || 'A title'}</h3>
        <p className="mt-2 wrap-anywhere text-ink-soft">{text || 'Announcement text'}</p>
      </article>
    ))}
    {upcoming.length === 0 && <p className="text-ink-soft">No announcements.</p>}
  </section>
)
