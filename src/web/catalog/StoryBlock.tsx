import { formatRange } from '#site/text-format.ts'
import type { CollectionView } from '#contract/collections.ts'
import { say } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { Icon } from '#web/ui/Icon.tsx'

/** A collection's story with its promises and the shop's own. */
export const StoryBlock = ({ story, storyTitle, channelName, channelUrl, promises }: CollectionView) => {
  const { processingDays } = useSite()
  const highlights = [
    { figure: '1', text: say('at a time: each piece is made when you order it') },
    { figure: formatRange(processingDays), text: say('business days in the workshop, then it is on its way to you') },
  ]
  return (
    <section aria-labelledby="story" className="on-dark mt-24 bg-strong pattern text-ivory lg:mt-32">
      <div className="shell grid gap-x-16 gap-y-12 py-16 lg:grid-cols-[1.15fr_1fr] lg:py-24">
        <div>
          <h2 id="story" className="max-w-[9.3em] text-headline">
            {storyTitle}
          </h2>
          <div className="mt-6 grid max-w-[34.8em] gap-4 text-lg text-ivory/85">
            {story.split(/\n\s*\n/).map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
          {channelUrl && (
            <a
              href={channelUrl}
              rel="noopener"
              className="mt-8 inline-flex min-h-12 items-center gap-2 rounded-card border border-gold px-6 font-semibold text-ivory transition-colors hover:bg-gold hover:text-charcoal"
            >
              {say('Watch {channel}', { channel: channelName })}
              <Icon name="out" className="size-5" />
            </a>
          )}
        </div>
        <dl className="grid content-center gap-8">
          {[...promises, ...highlights].map(({ figure, text }) => (
            <div
              key={figure}
              className="grid grid-cols-[5.25rem_1fr] items-baseline gap-4 border-t border-ivory/20 pt-6"
            >
              <dt className="font-display text-[3rem] leading-none font-[480] whitespace-nowrap text-gold">{figure}</dt>
              <dd className="text-lg">{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}
