export { lookAlikeLetters, looksAlike, readingsOf, skeleton } from './skeleton.ts';
