import { Fragment } from 'react'

/** A heading whose sentences are each kept on one line where there is room. */
export const UnbrokenSentences = ({ children }: { children: string }) =>
  children.split(/(?<=[.!?]) /).map((sentence, index) => (
    <Fragment key={sentence}>
      {index > 0 && ' '}
      <span className="inline-block">{sentence}</span>
    </Fragment>
  ))
