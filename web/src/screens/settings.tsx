/* settings.tsx -- settings, and who is to be thanked. */
import { accountName } from '../account';
import { GAMES } from '../games';
import { tellStoriesAgain } from '../intro/before';
import { href } from '../router';
import { settings } from '../settings';
import { LEVELS } from '../speech';
import { LANGUAGES, language, numberWord, setLanguage, type Language } from '../texts/language';
import { t } from '../texts/texts';
import { AlertSettings } from './alerts';
import { Choice, NameField, Screen, Switch } from './parts';

/** The account in one line, and the way to it. */
function AccountPanel() {
  const name = accountName();
  return (
    <section class="panel row apart" aria-label={t('account.title')}>
      <span>{name ? t('account.as', { name }) : t('account.guest')}</span>
      <a class="button" href={href('settings', 'account')}>{t(name ? 'account.manage' : 'account.open')}</a>
    </section>
  );
}

/** Everything that can be set. */
export function SettingsScreen() {
  const { theme, motion, speed, verbosity, ownSide, prepare, tips, intro } = settings;
  return (
    <Screen title={t('settings.title')}>
      <AccountPanel />
      <div class="fields panel">
        {accountName() === '' && <NameField />}
        <Choice label={t('settings.language')} value={language.value} onChoose={setLanguage}
          all={Object.entries(LANGUAGES) as [Language, string][]} />
        <Choice label={t('settings.theme')} value={theme.value} onChoose={(value) => { theme.value = value; }}
          all={[['auto', t('settings.theme.auto')], ['light', t('settings.theme.light')], ['dark', t('settings.theme.dark')]]} />
        <Choice label={t('settings.motion')} value={motion.value} onChoose={(value) => { motion.value = value; }}
          all={[['auto', t('settings.motion.auto')], ['on', t('settings.motion.on')], ['off', t('settings.motion.off')]]} />
        <Choice label={t('settings.speed')} value={speed.value} onChoose={(value) => { speed.value = value; }}
          all={[[0.5, '½ ×'], [1, '1 ×'], [1.5, '1½ ×'], [2, '2 ×'], [4, '4 ×']]} />
        <Choice label={t('settings.verbosity')} value={verbosity.value} onChoose={(value) => { verbosity.value = value; }}
          all={LEVELS.map((one) => [one, t(`settings.verbosity.${one}`)])} />
      </div>
      <div class="stack panel">
        <AlertSettings />
        <Switch label={t('settings.ownSide')} value={ownSide.value} onChange={(value) => { ownSide.value = value; }} />
        <Switch label={t('settings.prepare')} value={prepare.value} onChange={(value) => { prepare.value = value; }} />
        <Switch label={t('settings.tips')} value={tips.value} onChange={(value) => { tips.value = value; }} />
        <Switch label={t('settings.intro')} value={intro.value} onChange={(value) => { intro.value = value; if (value) tellStoriesAgain(); }} />
      </div>
      <p class="row"><a href={href('leaders')}>{t('nav.leaders')}</a> <a href={href('about')}>{t('nav.about')}</a></p>
    </Screen>
  );
}

/** About the page. */
export function AboutScreen() {
  return (
    <Screen title={t('about.title')}>
      <p class="lead">{t('about.text', { count: numberWord(GAMES.length).toLowerCase() })}</p>
      <h2>{t('about.credits')}</h2>
      <ul>
        <li>{t('about.license')}</li>
        <li>{t('about.parts')}</li>
        <li>{t('about.art')}</li>
      </ul>
    </Screen>
  );
}
