/** Collections that are announced on the home page before they exist, until the owner says otherwise. */
export const upcomingCollections = [
  { title: 'Popular Pets', text: 'The ones everybody knows by name. Their people are talking to ours.' },
  {
    title: 'Creator Series',
    text: 'Small editions with the people behind the camera, and the animals in front of it.',
  },
] as const
