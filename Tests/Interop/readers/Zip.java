import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/** Java's two readers of ZIPs: by the central directory ("file"), and from the front ("stream"). */
class Zip {
    public static void main(String[] arguments) throws Exception {
        boolean streams = arguments[0].equals("stream");
        for (int number = 1; number < arguments.length; number++) {
            String prefix = (number - 1) + "\t";
            try {
                if (streams) stream(prefix, arguments[number]); else file(prefix, arguments[number]);
            } catch (Exception error) {
                System.out.println(prefix + "error\t" + hex(String.valueOf(error)));
            }
        }
    }

    static void file(String prefix, String path) throws Exception {
        try (ZipFile archive = new ZipFile(path)) {
            for (Enumeration<? extends ZipEntry> all = archive.entries(); all.hasMoreElements();) {
                ZipEntry entry = all.nextElement();
                try (InputStream input = archive.getInputStream(entry)) { print(prefix, entry, input); }
            }
        }
    }

    static void stream(String prefix, String path) throws Exception {
        try (ZipInputStream input = new ZipInputStream(new FileInputStream(new File(path)))) {
            for (ZipEntry entry; (entry = input.getNextEntry()) != null;) print(prefix, entry, input);
        }
    }

    static void print(String prefix, ZipEntry entry, InputStream input) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(input.readAllBytes());
        String kind = entry.isDirectory() ? "directory" : "other";
        System.out.println(
            prefix + "entry\t" + hex(entry.getName()) + "\t" + kind + "\t-\t" + HexFormat.of().formatHex(digest) + "\t-");
    }

    static String hex(String text) { return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)); }
}
