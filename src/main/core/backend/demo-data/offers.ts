import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readPicture } from '#core/platform/pictures/read-picture.ts';
import type { BackendStore } from '#core/store/backend/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { storedAddress } from '../uploads/picture-address.ts';

export interface Offer {
  brand: string;
  vertical: string;
  /** Never requested over the network. */
  domain: string;
  titles: readonly string[];
  descriptions: readonly string[];
  keywords: readonly string[];
}

export const offers: readonly Offer[] = [
  {
    brand: 'Kestrel VPN',
    vertical: 'VPN',
    domain: 'kestrel-vpn.example',
    titles: ['Public Wi-Fi? Go private', 'Private in one tap', 'Your VPN is 70% off'],
    descriptions: [
      'Encrypt every connection on five devices. Try it free for 30 days.',
      'No logs, 60 countries, one tap.',
    ],
    keywords: ['vpn', 'private browsing', 'public wifi', 'stream abroad'],
  },
  {
    brand: 'Lumo Cleaner',
    vertical: 'Utilities',
    domain: 'lumo-cleaner.example',
    titles: ['Phone feeling slow?', 'Free up 4 GB today', 'Clean storage in a minute'],
    descriptions: [
      'Lumo finds duplicate photos and old downloads. You decide what goes.',
      'Less clutter, more space.',
    ],
    keywords: ['clean phone', 'free storage', 'duplicate photos'],
  },
  {
    brand: 'Harbor Bank',
    vertical: 'Finance',
    domain: 'harborbank.example',
    titles: ['3.4% on your savings', 'Open an account in 8 min', 'A card without fees'],
    descriptions: [
      'Daily interest, no minimum deposit, cancel whenever you like.',
      'All your money in one calm place.',
    ],
    keywords: ['savings account', 'interest rate', 'free credit card', 'online bank'],
  },
  {
    brand: 'Vitalis Greens',
    vertical: 'Nutra',
    domain: 'vitalis-greens.example',
    titles: ['Greens in 20 seconds', 'Breakfast, sorted', 'First box half price'],
    descriptions: [
      'One scoop with water. 22 plants, no sugar, delivered every month.',
      'Skip or stop at any time.',
    ],
    keywords: ['green powder', 'vitamins', 'healthy breakfast'],
  },
  {
    brand: 'Sweepway',
    vertical: 'Sweeps',
    domain: 'sweepway.example',
    titles: ['Win a year of coffee', 'Today: 50 gift cards', 'Tap to join the draw'],
    descriptions: [
      'Answer three questions and join the draw. Adults only, terms apply.',
      'New prizes every Monday.',
    ],
    keywords: ['gift card', 'prize draw', 'win'],
  },
  {
    brand: 'Tidewater Travel',
    vertical: 'Travel',
    domain: 'tidewater-travel.example',
    titles: ['Lisbon from €49', 'Last-minute islands', 'Your weekend by the sea'],
    descriptions: [
      'Flights and a small hotel together, with free changes until Friday.',
      'Only 12 rooms at this price.',
    ],
    keywords: ['cheap flights', 'weekend trip', 'beach hotel'],
  },
  {
    brand: 'Rook & Raven',
    vertical: 'Mobile games',
    domain: 'rookandraven.example',
    titles: ['Can you solve level 12?', 'Build, trade, defend', 'New season is live'],
    descriptions: [
      'A strategy game for five quiet minutes. No timers, plays offline.',
      'Join 2 million commanders.',
    ],
    keywords: ['strategy game', 'offline game', 'puzzle'],
  },
  {
    brand: 'Solstice Energy',
    vertical: 'Lead gen',
    domain: 'solstice-energy.example',
    titles: ['Solar on your roof?', 'Check your roof for free', 'Cut your power bill'],
    descriptions: [
      'Enter your postcode and see what your roof could save each year.',
      'Three local offers, no calls.',
    ],
    keywords: ['solar panels', 'electricity price', 'solar calculator'],
  },
  {
    brand: 'Paperlane',
    vertical: 'E-com',
    domain: 'paperlane.example',
    titles: ['Photo books from $9', 'Print your summer', 'Your walls look empty'],
    descriptions: [
      'Pick 40 pictures on your phone; the book arrives within the week.',
      'Free shipping until Sunday.',
    ],
    keywords: ['photo book', 'print photos', 'poster'],
  },
  {
    brand: 'Bright Lingo',
    vertical: 'Education',
    domain: 'brightlingo.example',
    titles: ['Speak Spanish by June', '10 minutes a day', 'Learn on the way to work'],
    descriptions: [
      'Short lessons with real voices. The first week is free.',
      'Forget flash cards: talk from day one.',
    ],
    keywords: ['learn spanish', 'language course', 'english lessons'],
  },
  {
    brand: 'Guardia Mobile',
    vertical: 'Antivirus',
    domain: 'guardia-mobile.example',
    titles: ['Scan your phone now', 'Links can lie', 'Block scam calls'],
    descriptions: [
      'Guardia warns before you open a bad link. Works with every browser.',
      'Protects the whole family.',
    ],
    keywords: ['antivirus', 'scam calls', 'phone security'],
  },
  {
    brand: 'Matchday',
    vertical: 'Sports',
    domain: 'matchday.example',
    titles: ['Kick-off in 2 hours', 'Live scores, no ads', 'Your club, every minute'],
    descriptions: [
      'Line-ups, goals and tables the moment they happen, for 900 leagues.',
      'Choose your club in the app.',
    ],
    keywords: ['live scores', 'football results', 'fixtures'],
  },
];

type PictureKind = 'icon' | 'image';

export const pictureVariants = ['a', 'b'] as const;

/** File name of a picture that scripts/demo-pictures.ts drew, for example `kestrel-vpn-icon-a.webp`. */
export function pictureFile(
  { domain }: Pick<Offer, 'domain'>,
  kind: PictureKind,
  variant: (typeof pictureVariants)[number],
): string {
  return `${domain.replace('.example', '')}-${kind}-${variant}.webp`;
}

/** Returns an image object (contract §2.4) for each variant. */
export type DemoPictures = (offer: Offer, kind: PictureKind) => readonly JsonObject[];

/** Call it inside a transaction. */
export function publishDemoPictures({ pictures }: Pick<BackendStore, 'pictures'>, uid: number): DemoPictures {
  const publish = (file: string): JsonObject => {
    const content = readFileSync(new URL(file, pictureFolder()));
    const { type: contentType, width, height } = readPicture(content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    pictures.add(uid, { sha256, contentType, width, height, content });
    const { length: bytes } = content;
    const url = storedAddress({ sha256, contentType });
    return { id: pictures.find(uid, sha256)?.id ?? 0, url, width, height, mime: contentType, bytes };
  };
  const published = new Map(
    offers.map((offer) => {
      const publishVariants = (kind: PictureKind) =>
        pictureVariants.map((variant) => publish(pictureFile(offer, kind, variant)));
      return [offer, { icon: publishVariants('icon'), image: publishVariants('image') }] as const;
    }),
  );
  return (offer, kind) => published.get(offer)?.[kind] ?? [];
}

/** In the sources the folder is next to this module; in `out/main` next to or above its chunk (electron.vite.config.ts). */
function pictureFolder(): URL {
  const here = import.meta.url;
  if (here.endsWith('.ts')) return new URL('pictures/', here);
  return new URL(here.includes('/chunks/') ? '../demo-pictures/' : 'demo-pictures/', here);
}
