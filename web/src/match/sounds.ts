/* sounds.ts -- where the match screen hands sounds on. */
export { playSound } from '../sound';
