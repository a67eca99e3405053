use super::*;
use graphcap_base::lock::rank::Alone;

/// The log is one for the process.
static TURN: Mutex<(), Alone> = Mutex::new(());

#[derive(Default)]
struct Delivered(Mutex<Vec<Record>, rank::Told>);

impl Sink for Delivered {
    fn take(&self, record: &Record) {
        log(Level::Error, Subject::Pool, || "from within".into());
        lock(&self.0).push(record.clone());
    }
}

fn in_a_call(may_deliver: bool, call: impl FnOnce()) {
    enter();
    call();
    leave(may_deliver);
}

#[test]
fn texts_of_the_environment() {
    let parsed = |text| Wanted::parse(text).map(|wanted| (wanted.level, wanted.subjects));
    assert_eq!(parsed("info"), Some((Level::Info, Subject::EVERY)));
    assert_eq!(parsed("error,pool"), Some((Level::Error, 16)));
    assert_eq!(parsed("debug,call,exec"), Some((Level::Debug, 72)));
    for text in ["", "loud", "info,", "info,nothing", "info pool", "Info"] {
        assert_eq!(parsed(text), None, "{text:?}");
    }
    assert_eq!(Subject::ALL.iter().fold(0, |bits, (subject, _)| bits | *subject as u8), Subject::EVERY);
}

#[test]
fn what_is_wanted_is_delivered_at_the_end_of_the_outermost_call() {
    let _turn = lock(&TURN);
    let kept = Arc::new(Delivered::default());
    let texts = || lock(&kept.0).iter().map(|record| record.text.clone()).collect::<Vec<_>>();
    let wanted = Wanted { level: Level::Warning, subjects: Subject::Capture as u8 | Subject::Pool as u8 };
    assert!(install(SinkOwner::Program, Some((wanted, Arc::clone(&kept) as _))).is_none());
    in_a_call(true, || {
        log(Level::Warning, Subject::Capture, || "one".into());
        log(Level::Info, Subject::Capture, || panic!("a level that nobody wants"));
        log(Level::Error, Subject::Exec, || panic!("a subject that nobody wants"));
        in_a_call(true, || log(Level::Error, Subject::Pool, || "two".into()));
        assert!(texts().is_empty());
    });
    assert_eq!(texts(), ["one", "two"]);
    // What the sink itself caused was dropped, and the next message tells how much.
    in_a_call(false, || log(Level::Error, Subject::Pool, || "three".into()));
    assert_eq!(texts().len(), 2);
    in_a_call(true, || ());
    let last = lock(&kept.0).last().cloned().unwrap();
    assert_eq!((last.text.as_str(), last.dropped), ("three", 2));
    assert!(last.to_string().ends_with("] error pool: three"), "{last}");

    in_a_call(false, || (0..ROOM + 5).for_each(|_| log(Level::Error, Subject::Pool, || "many".into())));
    in_a_call(true, || ());
    assert_eq!(texts().len(), 3 + ROOM);
    assert!(install(SinkOwner::Program, None).is_some() && !is_on());
    log(Level::Error, Subject::Pool, || panic!("nobody wants any"));
}
