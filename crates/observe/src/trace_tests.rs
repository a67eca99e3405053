use super::*;
use crate::read;
use graphcap_base::lock::rank::Alone;

/// The trace is one for the process.
static TURN: Mutex<(), Alone> = Mutex::new(());

fn in_a_file(name: &str, limit: u64, work: impl FnOnce()) -> (Vec<u8>, u64) {
    let _turn = lock(&TURN);
    let path = std::env::temp_dir().join(format!("graphcap-{}-{name}", std::process::id()));
    start(&path, limit).unwrap();
    assert!(start(&path, limit).is_err());
    work();
    let dropped = stop().unwrap();
    assert!(stop().is_err());
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    (bytes, dropped)
}

const MARK: Entry = Entry::of(Kind::Mark);

#[test]
fn what_was_written_is_read_by_thread() {
    let long = "a name that needs several parts, since it is longer than twenty-four bytes; é";
    let (bytes, dropped) = in_a_file("threads", 1 << 20, || {
        let call = Entry { kind: Kind::Call, name: name("gc_test"), begin: clock::stamp(), ..MARK };
        let outer = open(&call);
        assert_eq!(name("gc_test"), call.name);
        put(&Entry { name: text(long), begin: clock::stamp(), stream: 7, ..MARK });
        close(outer);
        let _left_open = open(&call);
        std::thread::spawn(|| {
            exchange_replay(Replay { exec: 3, launch: 4, stream: 5 });
            let mut steps = Steps::default();
            (2..5).for_each(|step| steps.begin(1, step, step != 3));
            steps.end();
        })
        .join()
        .unwrap();
    });
    assert_eq!(dropped, 0);
    let trace = read::TraceFile::read(&bytes).unwrap();
    assert!(trace.began > 0 && trace.ended > trace.began && trace.process == u64::from(std::process::id()));
    let [first, second] = &trace.threads[..] else { panic!("{trace:?}") };
    let kinds: Vec<_> = first.events.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [Kind::Call, Kind::Mark, Kind::Call]);
    let [call, mark, unended] = first.events[..] else { panic!() };
    assert_eq!((trace.text(call.name).as_str(), trace.text(mark.name).as_str()), ("gc_test", long));
    assert!(call.begin <= mark.begin && call.duration < 1 << 40 && mark.stream == 7);
    assert_eq!(unended.duration, OPEN);
    let [node, last] = second.events[..] else { panic!("{second:?}") };
    assert_eq!((node.exec, node.launch, node.stream, node.name, node.number, last.number), (3, 4, 5, 1, 2, 4));
    assert!(node.end_of_span() <= last.begin && last.end_of_span() <= trace.ended && trace.began <= call.begin);
    assert!(first.number != second.number && first.number == clock::thread_number());
}

#[test]
fn what_finds_no_room_is_counted() {
    let records = 3 * RECORDS as u64;
    let (bytes, dropped) = in_a_file("room", 3 * CHUNK as u64, || (0..records).for_each(|_| put(&MARK)));
    assert_eq!((bytes.len(), dropped), (3 * CHUNK, records - 2 * RECORDS as u64));
    let trace = read::TraceFile::read(&bytes).unwrap();
    assert_eq!((trace.threads[0].events.len(), trace.dropped), (2 * RECORDS, dropped));
}

#[test]
fn nothing_is_written_where_no_trace_goes_on() {
    let _turn = lock(&TURN);
    put(&MARK);
    assert!(open(&MARK).is_none() && !is_on() && text("name") == 0);
    assert!(start(Path::new("/nonexistent/trace"), 1 << 20).is_err());
    assert!(start(Path::new("/dev/null"), 1 << 20).is_err() && Path::new("/dev/null").exists());
}

#[test]
fn several_processes_may_begin_a_trace_in_one_file() {
    let path = std::env::temp_dir().join(format!("graphcap-{}-several", std::process::id()));
    std::thread::scope(|scope| {
        let create = || (0..100).all(|_| Mapping::create(&path, 1 << 20).is_ok());
        let creating = [(); 4].map(|()| scope.spawn(create));
        assert!(creating.into_iter().all(|thread| thread.join().unwrap()));
    });
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn spans_that_a_stop_leaves_open_are_not_written_later() {
    let mut left = None;
    let (bytes, _) = in_a_file("left", 1 << 20, || left = open(&Entry { begin: 1, ..MARK }));
    close(left);
    let trace = read::TraceFile::read(&bytes).unwrap();
    assert_eq!(trace.threads[0].events[0].duration, OPEN);
}

#[test]
fn files_that_were_cut_or_damaged_are_read_or_refused() {
    let (bytes, _) = in_a_file("damaged", 1 << 18, || {
        (0..3000).for_each(|number| put(&Entry { name: text(&format!("mark {}", number % 50)), number, ..MARK }));
    });
    let whole: usize = read::TraceFile::read(&bytes).unwrap().threads.iter().map(|thread| thread.events.len()).sum();
    assert_eq!(whole, 3000);
    for cut in (0..bytes.len()).step_by(997) {
        if let Ok(trace) = read::TraceFile::read(&bytes[..cut]) {
            assert!(cut >= CHUNK && trace.threads.iter().map(|thread| thread.events.len()).sum::<usize>() <= whole);
        }
    }
    // A generator of numbers that is always the same.
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        (0..20).for_each(|_| damaged[random(bytes.len())] = random(256) as u8);
        let _ = read::TraceFile::read(&damaged);
    }
    let mut unknown = bytes.clone();
    unknown[CHUNK + HEAD] = 99;
    assert!(read::TraceFile::read(&unknown).is_err());
    assert!(read::TraceFile::read(b"").is_err() && read::TraceFile::read(&MAGIC_ALONE).is_err());
}

const MAGIC_ALONE: [u8; 8] = crate::format::MAGIC;
