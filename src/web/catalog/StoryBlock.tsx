import { formatRange } from '#site/text-format.ts'
import type { CollectionView } from '#contract/collections.ts'
import { say } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { toPicture } from './hero.ts'
import { Picture } from './Picture.tsx'

/** A collection's story with its animal, its promises and the shop's own; light, so that it is no part of the footer. */
export const StoryBlock = ({ story, storyTitle, channelName, channelUrl, promises, hero }: CollectionView) => {
  const { processingDays } = useSite()
  const highlights = [
    { figure: '1', text: say('at a time: each piece is made when you order it') },
    { figure: formatRange(processingDays), text: say('business days in the workshop, then it is on its way to you') },
  ]
  return (
    <section aria-labelledby="story" className="shell mt-12 lg:mt-20">
      <div className="grid overflow-hidden rounded-card border border-line bg-surface lg:auto-cols-fr lg:grid-flow-col lg:grid-rows-[auto_auto]">
        {hero && (
          <Picture
            picture={toPicture(hero)}
            alt={hero.alt}
            sizes="(min-width: 1024px) 608px, 92vw"
            className="aspect-[1.9] size-full object-cover md:aspect-[2.2] lg:row-span-2 lg:aspect-auto lg:h-0 lg:min-h-full"
          />
        )}
        <div className="p-5 md:p-8 lg:p-12 lg:pb-8">
          <h2 id="story" className="max-w-[10.5em] text-title lg:text-[2.5rem]">
            {storyTitle}
          </h2>
          <div className="mt-4 grid max-w-[34.8em] gap-3 text-ink-soft">
            {story.split(/\n\s*\n/).map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
          {channelUrl && (
            <a href={channelUrl} rel="noopener" className={buttonClass('outline', 'mt-6')}>
              {say('Watch {channel}', { channel: channelName })}
              <Icon name="out" className="size-5" />
            </a>
          )}
        </div>
        <dl className="mx-5 grid gap-x-8 gap-y-4 border-t border-line py-5 sm:grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] md:mx-8 md:py-7 lg:mx-12">
          {[...promises, ...highlights].map(({ figure, text }) => (
            <div key={figure} className="grid grid-cols-[3.5rem_1fr] items-baseline gap-x-3 sm:block">
              <dt className="font-display text-[2rem] leading-tight font-[480] whitespace-nowrap">{figure}</dt>
              <dd className="text-[0.9375rem] leading-snug text-ink-soft">{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}
