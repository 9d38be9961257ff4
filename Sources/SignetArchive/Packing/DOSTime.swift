internal import SignetBase
internal import SignetCrypto

/// A time as ZIPs have it: MS-DOS's date and time in two numbers of 16 bits, in steps of two seconds, from 1980 to 2107
/// (APPNOTE 4.4.6). They have no time zone; here they are UTC.
struct DOSTime {
  let date: Int
  let time: Int

  /// The time, or the nearest that can be written.
  init(_ time: UnixTime) {
    let first = Int64(315_532_800)
    let last = Int64(4_354_819_198)
    let seconds = min(max(time.seconds, first), last)
    let day = CivilDate(daysSince1970: seconds / 86400)
    let rest = seconds % 86400
    date = Int((day.year - 1980) << 9 | day.month << 5 | day.day)
    self.time = Int((rest / 3600) << 11 | (rest / 60 % 60) << 5 | (rest % 60) / 2)
  }
}
