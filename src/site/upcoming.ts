/** Announced on the home page until the owner changes them. */
export const upcomingCollections = [
  { title: 'Popular Pets', text: 'The ones everybody knows by name. Their people are talking to ours.' },
  {
    title: 'Creator Series',
    text: 'Small editions with the people behind the camera, and the animals in front of it.',
  },
] as const
